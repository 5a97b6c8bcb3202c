// Loaded before the command, in all of its threads: the first DIE_THREADS threads beside the main one
// end at their DIE_AT-th message.
import { isMainThread, parentPort, threadId } from 'node:worker_threads';

if (!isMainThread && threadId <= Number(process.env.DIE_THREADS)) {
  const post = parentPort.postMessage.bind(parentPort);
  let count = 0;
  parentPort.postMessage = (...message) => {
    if (++count === Number(process.env.DIE_AT)) process.exit(7);
    post(...message);
  };
}
