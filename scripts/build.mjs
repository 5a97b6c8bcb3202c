// npm run build: installs what is missing and builds kernels, library and command, even if nothing has changed.
import { runMain } from './run.mjs';
import { setUp } from './setup.mjs';

await runMain(() => setUp({ force: true }));
