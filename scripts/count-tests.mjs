// Prints `N passed, N failed` for a vitest report in JSON. Test files that could not be loaded, and a failed
// run without a failed test (lint, types, a crash), count as failures:
// node scripts/count-tests.mjs REPORT EXIT-CODE
import { readFileSync } from 'node:fs';

const [path, exitCode] = process.argv.slice(2);
const { passed, failed } = count(readReport(path));
console.log(`${passed} passed, ${failed === 0 && exitCode !== '0' ? 1 : failed} failed`);

function count({ numPassedTests = 0, numFailedTests = 0, testResults = [] }) {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

/** Empty when the tests never ran. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
