#!/usr/bin/env python3
"""Checks the chart without a cluster: HELM lints and renders it with each file of values/, and KUBECTL_VALIDATE reads the result with
the schemas of Kubernetes. Needs PyYAML.

    test.py HELM KUBECTL_VALIDATE [CHART]
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from settings import variables as known_variables

HELM, VALIDATE = sys.argv[1:3]
CHART = sys.argv[3] if len(sys.argv) > 3 else HERE / "chatbot-platform"
# The oldest release that the chart allows, and the newest whose schemas the tool has.
KUBERNETES = ["1.27", "1.30"]
# Kinds of the Prometheus operator, which have no schema here.
OF_OPERATOR = {"ServiceMonitor", "PrometheusRule"}
AUTHORITIES = "/etc/chatbot-platform/authorities"
SETTINGS = known_variables()


def main() -> None:
    files = sorted((HERE / "values").glob("*.yaml"))
    assert len(files) >= 10
    for file in files:
        helm("lint", "--strict", "--quiet", "--kube-version", KUBERNETES[-1], CHART, "--values", file)
        objects = render(file)
        validate(objects)
        check(file.stem, objects)
    for missing in ("baseUrl", "auth.url", "database.existingSecret"):
        minimal = HERE / "values/minimal.yaml"
        refused = subprocess.run([HELM, "template", CHART, "--kube-version", KUBERNETES[-1], "--values", minimal, "--set", f"{missing}="], capture_output=True, text=True)
        assert refused.returncode != 0 and f"{missing} " in refused.stderr, f"without {missing}: {refused.stderr}"
    print(f"chart: {len(files)} files of values, Kubernetes {' and '.join(KUBERNETES)}")


def helm(*arguments) -> str:
    done = subprocess.run([HELM, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, f"helm {arguments[0]} {arguments[-1]}: {done.stdout} {done.stderr}"
    return done.stdout


def render(file: Path) -> list[dict]:
    text = helm("template", "chat", CHART, "--kube-version", KUBERNETES[-1], "--namespace", "chat", "--values", file)
    return [document for document in yaml.safe_load_all(text) if document]


def validate(objects: list[dict]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        known = [document for document in objects if document["kind"] not in OF_OPERATOR]
        for number, document in enumerate(known):
            (Path(folder) / f"{number:02}-{document['kind']}.yaml").write_text(yaml.safe_dump(document))
        for version in KUBERNETES:
            done = subprocess.run([VALIDATE, "--version", version, folder], capture_output=True, text=True)
            assert done.returncode == 0, f"Kubernetes {version}: {done.stdout} {done.stderr}"


def check(name: str, objects: list[dict]) -> None:
    """What the schemas do not say: rights, settings, hooks, and what refers to what."""
    kinds = {}
    for document in objects:
        kinds.setdefault(document["kind"], []).append(document)
    assert "Secret" not in kinds, f"{name}: the chart has a secret of its own"
    workloads = kinds["Deployment"] + kinds.get("Job", [])
    for workload in workloads:
        pod = workload["spec"]["template"]["spec"]
        restricted(f"{name}: {workload['metadata']['name']}", pod)
        volumes = {volume["name"] for volume in pod["volumes"]}
        for container in pod["containers"] + pod.get("initContainers", []):
            variables = [variable["name"] for variable in container["env"]]
            assert len(variables) == len(set(variables)), f"{name}: a variable twice: {variables}"
            unknown = {variable for variable in variables if variable.startswith("SVC_")} - SETTINGS
            assert not unknown, f"{name}: {unknown} are no settings"
            assert {mount["name"] for mount in container["volumeMounts"]} <= volumes, f"{name}: {container['name']}"
            trusts = {"name": "SVC_TLS_CA_FILE", "value": f"{AUTHORITIES}/ca.crt"} in container["env"]
            mounted = any(mount["name"] == "authorities" and mount["mountPath"] == AUTHORITIES for mount in container["volumeMounts"])
            assert trusts == mounted == (name == "intranet"), f"{name}: authorities of {container['name']}"
    server = next(one for one in kinds["Deployment"] if one["metadata"]["name"] == "chat-server")
    container = server["spec"]["template"]["spec"]["containers"][0]
    paths = [container[f"{probe}Probe"]["httpGet"]["path"] for probe in ("startup", "liveness", "readiness")]
    assert paths == ["/health/live", "/health/live", "/health/ready"], f"{name}: {paths}"
    replicas = server["spec"]["replicas"]
    workers = [one for one in kinds["Deployment"] if one["metadata"]["name"] == "chat-worker"]
    leaves_jobs = {"name": "SVC_JOBS_WORKERS", "value": "0"} in container["env"]
    assert leaves_jobs == bool(workers), f"{name}: nobody works on jobs, or both"
    assert ("PodDisruptionBudget" in kinds) == (replicas > 1 and name != "external-migration"), f"{name}: disruption budget"
    assert ("NetworkPolicy" in kinds) == (name != "openshift"), f"{name}: network policy"
    assert ("Job" in kinds) == (name != "external-migration"), f"{name}: migration"
    for job in kinds.get("Job", []):
        migrate = job["spec"]["template"]["spec"]["containers"][0]
        assert ("--set-password" in migrate["args"]) == ("SVC_DATABASE_URL" in str(migrate["env"])), f"{name}: {migrate}"
        assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade", name
    if name == "monitoring":
        operators(kinds)


def restricted(name: str, pod: dict) -> None:
    """The rules of the pod security standard "restricted"."""
    whole = pod["securityContext"]
    assert whole["runAsNonRoot"] and whole["seccompProfile"]["type"] == "RuntimeDefault", name
    assert whole.get("runAsUser", 1) > 0 and pod["automountServiceAccountToken"] is False, name
    assert not any(pod.get(shared) for shared in ("hostNetwork", "hostPID", "hostIPC")), name
    kinds = {kind for volume in pod["volumes"] for kind in volume if kind != "name"}
    assert kinds <= {"configMap", "secret", "emptyDir", "persistentVolumeClaim"}, f"{name}: {kinds}"
    for container in pod["containers"] + pod.get("initContainers", []):
        rights = container["securityContext"]
        assert rights["allowPrivilegeEscalation"] is False and rights["readOnlyRootFilesystem"] is True, name
        assert rights["capabilities"] == {"drop": ["ALL"]} and "privileged" not in rights, name


def operators(kinds: dict) -> None:
    """Objects of the Prometheus operator, and the dashboard, have what the files of deploy/monitoring have."""
    monitor, rule = kinds["ServiceMonitor"][0], kinds["PrometheusRule"][0]
    assert monitor["spec"]["endpoints"][0]["path"] == "/metrics" and monitor["metadata"]["labels"]["release"] == "prometheus"
    service = next(one for one in kinds["Service"])
    assert monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    monitoring = HERE.parent / "monitoring"
    assert rule["spec"] == yaml.safe_load((monitoring / "rules.yaml").read_text())
    board = next(one for one in kinds["ConfigMap"] if one["metadata"]["name"] == "chat-dashboard")
    assert board["data"]["chatbot-platform.json"].strip() == (monitoring / "dashboard.json").read_text().strip()


if __name__ == "__main__":
    main()
