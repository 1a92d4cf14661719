#!/usr/bin/env python3
"""Starts the services of compose.yaml as plain processes, with the commands and variables that the specification's parser reads, and
signs in as the first operator. They have a network and names of their own; a loopback address stands for each container. The proxy
makes its certificates itself, which the platform trusts by tls.ca_file. Needs root.

    run.py PARSER PROGRAM CADDY PARTS KEYCLOAK
"""

import base64
import hashlib
import html
import http.cookiejar
import json
import os
import re
import secrets
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from realms import without_people

ROOT = Path(__file__).resolve().parents[2]
CHAT, LOGIN = "https://chat.example.com", "https://login.example.com"
ADDRESSES = {"database": "127.0.0.1", "server": "127.0.0.2", "keycloak": "127.0.0.3", "proxy": "127.0.0.4"}
HOSTS = [("127.0.0.1", "localhost"), *((address, name) for name, address in ADDRESSES.items()), *((ADDRESSES["proxy"], url.removeprefix("https://")) for url in (CHAT, LOGIN))]
# How long a service may take to answer, in seconds. Keycloak configures itself at its first start.
PATIENCE = 300
OPERATOR, FIRST_PASSWORD, PASSWORD = "ada", "a-first-password-of-ada", "a-new-password-of-ada"


def main() -> None:
    words = [str(Path(word).resolve()) for word in sys.argv[1:] if word != "--inside"]
    if "--inside" not in sys.argv:
        # Everything that still runs ends with the namespace of processes.
        namespaces = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        sys.exit(subprocess.run([*namespaces, sys.executable, "-B", __file__, "--inside", *words]).returncode)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory(prefix="compose-") as folder:
        os.chmod(folder, 0o755)
        Services(Path(folder), *map(Path, words)).test()


class Services:
    """The services, with their files below a folder."""

    def __init__(self, folder: Path, parser: Path, program: Path, caddy: Path, parts: Path, keycloak: Path):
        self.folder, self.program, self.caddy, self.keycloak_files = folder, program, caddy, keycloak
        self.postgres = next(parts.glob("postgres-*/*/pginstall/bin"))
        self.running = {}
        names = folder / "hosts"
        names.write_text("".join(f"{address} {name}\n" for address, name in HOSTS))
        subprocess.run(["mount", "--bind", names, "/etc/hosts"], check=True)
        self.secrets = {}
        self.services = self.parse(parser)
        self.authority = folder / "caddy/caddy/pki/authorities/local/root.crt"

    def parse(self, parser: Path) -> dict:
        shutil.copy(ROOT / "deploy/compose.yaml", self.folder)

        def fill(line: re.Match) -> str:
            self.secrets[line[1]] = secrets.token_hex(24)
            return f"{line[1]}={self.secrets[line[1]]}"

        example = (ROOT / "deploy/compose/env.example").read_text()
        (self.folder / ".env").write_text(re.sub(r"(?m)^(\w+)=$", fill, example) + "\nSUBNET=127.0.0.0/8\n")
        parsed = subprocess.run([parser, "compose.yaml"], cwd=self.folder, check=True, capture_output=True, text=True)
        return json.loads(parsed.stdout)["services"]

    def test(self) -> None:
        began = time.monotonic()
        try:
            self.start_database()
            self.start_keycloak()
            self.start_proxy()
            trust = {"SVC_TLS_CA_FILE": str(self.authority), "SVC_PATHS_VAR_DIR": str(self.folder / "state")}
            migrated = self.platform("migrate", trust)
            assert migrated.wait(PATIENCE) == 0, self.log("migrate")
            del self.running["migrate"]
            self.platform("worker", trust)
            self.platform("server", {**trust, "SVC_HTTP_HOST": ADDRESSES["server"]})
            self.wait("server", lambda: self.status(f"{CHAT}/health/ready") == 200)
            print(f"compose: ready after {time.monotonic() - began:.0f} s")
            assert self.status(f"{CHAT}/metrics") == 404, "the proxy shows /metrics"
            self.check_installation(trust)
            self.sign_in()
            self.stop()
        finally:
            for process in self.running.values():
                process.kill()
        print("compose: the first operator signed in, `doctor` has no failure, and every service ended with 0")

    def run(self, name: str, command: list, environment: dict, cwd: Path = ROOT) -> subprocess.Popen:
        log = (self.folder / f"{name}.log").open("wb")
        own = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"}
        self.running[name] = subprocess.Popen(command, env={**own, **environment}, cwd=cwd, stdout=log, stderr=log)
        return self.running[name]

    def platform(self, name: str, more: dict) -> subprocess.Popen:
        service = self.services[name]
        return self.run(name, [self.program, *service["command"]], {**service["environment"], **more})

    def log(self, name: str) -> str:
        return f"{name}: {(self.folder / f'{name}.log').read_text()[-3000:]}"

    def wait(self, name: str, condition) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline and all(process.poll() is None for process in self.running.values()), self.log(name)
            time.sleep(0.3)

    def start_database(self) -> None:
        """What the image does at its first start: a cluster with a password, the database, and its script."""
        given, data = self.services["database"]["environment"], self.folder / "database"
        data.mkdir()
        shutil.chown(data, "nobody")
        password = self.folder / "password"
        password.write_text(given["POSTGRES_PASSWORD"])
        password.chmod(0o644)
        account = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        init = ["--username=postgres", f"--pwfile={password}", "--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8"]
        subprocess.run([*account, self.postgres / "initdb", *init, "-D", data], check=True, stdout=subprocess.DEVNULL)
        options = [f"-cunix_socket_directories={data}", f"-clisten_addresses={ADDRESSES['database']}"]
        self.run("database", [*account, self.postgres / "postgres", "-D", data, *options], {}, data)
        ready = [self.postgres / "psql", "-h", data, "-U", "postgres", "-qtc", "select 1"]
        self.wait("database", lambda: subprocess.run(ready, capture_output=True).returncode == 0)
        subprocess.run([*ready[:-1], f"create database {given['POSTGRES_DB']}"], check=True)
        path = {"PATH": f"{self.postgres}:/usr/bin:/bin", "PGHOST": str(data), **given}
        subprocess.run(["sh", ROOT / "deploy/compose/keycloak-database.sh"], check=True, env=path, stdout=subprocess.DEVNULL)

    def start_keycloak(self) -> None:
        service, home = self.services["keycloak"], self.folder / "keycloak"
        # It writes its configuration below its own folder.
        shutil.copytree(self.keycloak_files, home)
        (home / "data/import").mkdir(parents=True, exist_ok=True)
        for file in (ROOT / "deploy/realms").glob("*-realm.json"):
            (home / "data/import" / file.name).write_bytes(without_people(file.read_text()))
        given = {**service["environment"], "KC_HTTP_HOST": ADDRESSES["keycloak"], "JAVA_OPTS_KC_HEAP": "-Xms128m -Xmx700m"}
        self.run("keycloak", [home / "bin/kc.sh", *service["command"]], given)

    def start_proxy(self) -> None:
        """The proxy's file, after a start that makes certificates without the internet."""
        local = self.folder / "Caddyfile"
        local.write_text(f"{{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n}}\nimport {ROOT / 'deploy/compose/Caddyfile'}\n")
        environment = {**self.services["proxy"]["environment"], "XDG_DATA_HOME": str(self.folder / "caddy"), "XDG_CONFIG_HOME": str(self.folder)}
        self.run("proxy", [self.caddy, "run", "--adapter", "caddyfile", "--config", local], environment)
        self.wait("proxy", self.authority.exists)
        self.wait("keycloak", lambda: self.status(f"{LOGIN}/realms/svc-tenants") == 200)

    def opener(self, *handlers):
        trust = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=self.authority))
        return urllib.request.build_opener(urllib.request.ProxyHandler({}), trust, *handlers)

    def status(self, url: str) -> int:
        try:
            return self.opener().open(url, timeout=30).status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def call(self, opener, url: str, body=None, token: str = ""):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if isinstance(body, dict) and not token:
            body = urllib.parse.urlencode(body).encode()
        elif body is not None:
            body, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        return opener.open(urllib.request.Request(url, body, headers), timeout=60)

    def check_installation(self, trust: dict) -> None:
        """`doctor` with the server's settings. How full the disk and how large the machine is does not count."""
        doctor = [self.program, "doctor", "--json", "--admin"]
        login = {"KEYCLOAK_ADMIN_USER": "admin", "KEYCLOAK_ADMIN_PASSWORD": self.secrets["KEYCLOAK_ADMIN_PASSWORD"]}
        variables = {**self.services["server"]["environment"], **trust, **login, "PATH": "/usr/bin:/bin"}
        said = subprocess.run(doctor, env=variables, cwd=ROOT, capture_output=True, text=True)
        failed = [check for check in json.loads(said.stdout)["checks"] if check["status"] == "failed" and check["area"] != "machine"]
        assert not failed, f"doctor: {json.dumps(failed, indent=1)}"

    def sign_in(self) -> None:
        """Adds the first operator as docs/installation.md says, who signs in by the proxy and asks the platform."""
        opener = self.opener()
        admin = {"grant_type": "password", "client_id": "admin-cli", "username": "admin", "password": self.secrets["KEYCLOAK_ADMIN_PASSWORD"]}
        token = json.load(self.call(opener, f"{LOGIN}/realms/master/protocol/openid-connect/token", admin))["access_token"]
        realm = f"{LOGIN}/admin/realms/svc-platform"
        password = {"type": "password", "value": FIRST_PASSWORD, "temporary": True}
        person = {"username": OPERATOR, "email": "ada@example.com", "firstName": "Ada", "lastName": "A", "enabled": True, "credentials": [password]}
        account = self.call(opener, f"{realm}/users", person, token).headers["Location"].rsplit("/", 1)[1]
        role = json.load(self.call(opener, f"{realm}/roles/operator", token=token))
        self.call(opener, f"{realm}/users/{account}/role-mappings/realm", [role], token)
        operator = self.token()
        tenants = self.call(opener, f"{CHAT}/api/v1/platform/tenants", token=operator)
        assert tenants.status == 200 and tenants.headers["Strict-Transport-Security"], tenants.headers

    def token(self) -> str:
        """A token of the operator console, by the pages that a browser shows."""
        realm, back = f"{LOGIN}/realms/svc-platform/protocol/openid-connect", f"{CHAT}/admin/operator/"
        browser = self.opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "client_id": "operator-ui", "response_type": "code", "redirect_uri": back, "scope": "openid", "state": "s", "nonce": "n",
            "code_challenge": challenge, "code_challenge_method": "S256",
        }
        page = self.call(browser, f"{realm}/auth?{urllib.parse.urlencode(asked)}")
        page = self.fill_in(browser, page, username=OPERATOR, password=FIRST_PASSWORD)
        page = self.fill_in(browser, page, **{"password-new": PASSWORD, "password-confirm": PASSWORD})
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query)["code"][0]
        form = {"grant_type": "authorization_code", "client_id": "operator-ui", "code": code, "redirect_uri": back, "code_verifier": verifier}
        return json.load(self.call(browser, f"{realm}/token", form))["access_token"]

    def fill_in(self, browser, page, **fields: str):
        text = page.read().decode()
        action = re.search(r'<form[^>]*\baction="([^"]+)"', text)
        assert action, f"no form: {text[:3000]}"
        return self.call(browser, html.unescape(action[1]), fields)

    def stop(self) -> None:
        for name in ("server", "worker"):
            self.running[name].terminate()
            assert self.running[name].wait(60) == 0, self.log(name)


if __name__ == "__main__":
    main()
