// Loaded before the command: presses Ctrl-C in its own process, some time after stderr shows INTERRUPT_AT, or after it
// listens. From outside the signal would come when the test gets round to it: on a busy machine, after the end.
import { isMainThread } from 'node:worker_threads';

const { INTERRUPT_AT, INTERRUPT_AFTER } = process.env;
const press = () => setTimeout(() => process.kill(process.pid, 'SIGINT'), Number(INTERRUPT_AFTER));

if (isMainThread && INTERRUPT_AT === '') {
  process.on('newListener', function onListener(name) {
    if (name !== 'SIGINT') return;
    process.off('newListener', onListener);
    press();
  });
} else if (isMainThread) {
  const pattern = new RegExp(INTERRUPT_AT);
  const write = process.stderr.write.bind(process.stderr);
  let seen = '';
  let isPressed = false;
  process.stderr.write = (text, ...rest) => {
    seen += text;
    if (!isPressed && pattern.test(seen)) {
      isPressed = true;
      press();
    }
    return write(text, ...rest);
  };
}
