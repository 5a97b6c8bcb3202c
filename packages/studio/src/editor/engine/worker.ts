import { EditorHost } from './editor-host.ts';
import { type SentCommand, transferOf } from './protocol.ts';
import { BrowserStore } from './store.ts';

const threads = Math.max(1, Math.min(4, (navigator.hardwareConcurrency ?? 2) - 1));
const host = new EditorHost((answer) => self.postMessage(answer, { transfer: transferOf(answer) }), {
  store: new BrowserStore(),
  threads,
});

self.addEventListener('message', ({ data }: MessageEvent<SentCommand>) => {
  void host.handle(data);
});
