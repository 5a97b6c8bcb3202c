import { Host } from './host.ts';
import { type Request, transferOf } from './protocol.ts';

const host = new Host();

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  host.handle(data, (reply) => self.postMessage(reply, { transfer: transferOf(reply) }));
});
