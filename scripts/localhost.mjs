// Where no file names the machine itself, as in a bare Debian root without /etc/hosts, browsers know "localhost" and Node
// does not. Whoever imports this knows it, too.
import dns from 'node:dns';

const { lookup } = dns;

function lookUpLoopback(name, ...rest) {
  lookup(name === 'localhost' ? '127.0.0.1' : name, ...rest);
}

await dns.promises.lookup('localhost').catch(() => {
  dns.lookup = lookUpLoopback;
});
