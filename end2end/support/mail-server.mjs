// A mail server that stores the mails that it receives: the part of SMTP (RFC 5321) that Keycloak uses.
import { once } from "node:events";
import { createServer } from "node:net";

/** Starts it on a free port. `mails` has the text of every mail as it was sent, headers first. */
export async function startMailServer() {
  const mails = [];
  const server = createServer((socket) => receive(socket, mails)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { mails, port: server.address().port, stop: () => new Promise((done) => server.close(done)) };
}

function receive(socket, mails) {
  let buffer = "";
  let mail;
  socket.on("error", () => {});
  socket.setEncoding("utf8").on("data", (text) => {
    buffer += text;
    for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      if (!mail) {
        if (line === "DATA") mail = [];
        socket.write(line === "DATA" ? "354 Go ahead\r\n" : "250 OK\r\n");
        if (line === "QUIT") socket.end();
      } else if (line === ".") {
        mails.push(mail.join("\n"));
        mail = undefined;
        socket.write("250 OK\r\n");
      } else {
        mail.push(line.replace(/^\.\./, "."));
      }
    }
  });
  socket.write("220 mail.example\r\n");
}

/** The first link of a mail with a body in quoted-printable. */
export function linkOf(mail) {
  const text = mail.replaceAll("=\n", "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return text.match(/https?:\/\/[^\s"<>]+/)[0].replaceAll("&amp;", "&");
}
