// Bundles the report's page script (src/html/page) into a string: src/html/generated/page-script.ts.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = here('../src/html/generated/page-script.ts');

const bundle = await rolldown({
  input: here('../src/html/page/main.ts'),
  platform: 'browser',
  logLevel: 'warn',
});
const { output } = await bundle.generate({ format: 'iife', minify: true });
await bundle.close();
const code = output[0].code.trim();

// Inside <script>, these two would end it early or hide its end.
if (/<\/script|<!--/i.test(code)) throw new Error('the page script must hold neither </script nor <!--');

mkdirSync(dirname(target), { recursive: true });
const text = `// Made by scripts/build-report-page.mjs.\nexport const PAGE_SCRIPT: string = ${JSON.stringify(code)};\n`;
writeFileSync(`${target}.${process.pid}`, text);
renameSync(`${target}.${process.pid}`, target);
