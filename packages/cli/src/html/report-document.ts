import { escapeHtml } from './escape-html.ts';
import { PAGE_SCRIPT } from './generated/page-script.ts';
import { bodyMarkup } from './markup.ts';
import type { ReportData } from './report-data.ts';
import { STYLES } from './styles.ts';

const ICON = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path fill='#888' d='M1 13 7 2l4 11z'/><path fill='#d33' d='m5 14 6-9 4 9z'/></svg>`;

/** What the content security policy lets run: `sha256-…` of the script and of the style. */
export interface ContentHashes {
  readonly script: string;
  readonly style: string;
}

/** The texts that the hashes are of. */
export const REPORT_SCRIPT = PAGE_SCRIPT;
export const REPORT_STYLE = STYLES;

/** The report from its parts: `payload` is what `packPayload` gives, compressed with gzip, in base64. */
export function reportDocument(data: ReportData, payload: string, { script, style }: ContentHashes): string {
  const policy = [
    "default-src 'none'",
    `script-src '${script}'`,
    `style-src '${style}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Pliant">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(data.title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${STYLES}</style>
</head>
<body>
${bodyMarkup(data)}
<script type="application/octet-stream" id="data">${payload}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}
