// Runs the shipped examples of nginx and HAProxy with addresses of this machine.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

import { freePorts } from "./ports.mjs";
import { ROOT } from "./world.mjs";

const START_SECONDS = 10;

/** A running balancer in front of replicas; `url` is its https address. */
export class Balancer {
  /** `nginx` or `haproxy`, its port chosen; its files go into `folder`. */
  static async prepare(name, folder) {
    const [port, plain] = await freePorts(2);
    mkdirSync(folder, { recursive: true });
    execFileSync("chmod", ["-R", "a+rwX", folder]);
    certificate(folder);
    return Object.assign(new Balancer(), { name, folder, port, plain, url: `https://127.0.0.1:${port}` });
  }

  /** Checks the example's configuration with the balancer itself, and runs it. */
  async start(replicas) {
    const [program, check, run] = this[this.name](replicas);
    execFileSync(program, check, { stdio: ["ignore", "ignore", "inherit"] });
    this.child = spawn(program, run, { stdio: ["ignore", "ignore", "inherit"] });
    const { child } = this;
    process.once("exit", () => child.exitCode ?? child.kill("SIGKILL"));
    const started = performance.now();
    while (!(await listens(this.port))) {
      if (performance.now() - started > START_SECONDS * 1000) throw new Error(`${this.name} does not listen`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  async stop() {
    const ended = new Promise((done) => this.child.once("close", done));
    this.child.kill("SIGTERM");
    await ended;
  }

  nginx(replicas) {
    const servers = replicas.map(({ port }) => `    server 127.0.0.1:${port} max_fails=0;`).join("\n");
    const site = example("nginx-site.conf", [
      [/^ {4}server 127\.0\.0\.1:8080 .*$/m, servers],
      [/listen 80;\n.*$/m, `listen 127.0.0.1:${this.plain};`],
      [/listen 443 ssl;\n.*$/m, `listen 127.0.0.1:${this.port} ssl;`],
      [/\/etc\/ssl\/chat\.example\.com/g, this.folder],
    ]);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${of};`);
    const main = `daemon off; worker_processes 2; pid nginx.pid; error_log error.log;
      events { worker_connections 8192; } worker_rlimit_nofile 20000;
      http { access_log off; ${temporary.join(" ")} include site.conf; }`;
    writeFileSync(join(this.folder, "site.conf"), site);
    writeFileSync(join(this.folder, "nginx.conf"), main);
    const options = ["-p", this.folder, "-e", "error.log", "-c", "nginx.conf"];
    return ["nginx", ["-q", "-t", ...options], options];
  }

  haproxy(replicas) {
    const servers = replicas.map(({ port }, index) => `    server replica${index + 1} 127.0.0.1:${port}`).join("\n");
    const text = example("haproxy.cfg", [
      [/(^ {4}server replica\d .*\n?)+/m, `${servers}\n`],
      [/bind :80$/m, `bind 127.0.0.1:${this.plain}`],
      [/bind :443/, `bind 127.0.0.1:${this.port}`],
      [/\/etc\/ssl\/chat\.example\.com/g, this.folder],
    ]);
    const file = join(this.folder, "haproxy.cfg");
    writeFileSync(file, text);
    return ["haproxy", ["-q", "-c", "-f", file], ["-q", "-db", "-f", file]];
  }
}

/** A shipped example with other addresses; a place that is not there any more is an error. */
function example(name, changes) {
  return changes.reduce((text, [place, value]) => {
    if (text.search(place) < 0) throw new Error(`${name} has no ${place}`);
    return text.replace(place, value);
  }, readFileSync(join(ROOT, "deploy", name), "utf8"));
}

function certificate(folder) {
  const [key, chain] = [join(folder, "privkey.pem"), join(folder, "fullchain.pem")];
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", [...request, "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", chain], { stdio: "ignore" });
  writeFileSync(join(folder, "haproxy.pem"), readFileSync(chain, "utf8") + readFileSync(key, "utf8"));
}

async function listens(port) {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), done(true))).once("error", () => done(false));
  });
}
