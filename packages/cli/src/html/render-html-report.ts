import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';
import { PAGE_SCRIPT } from './generated/page-script.ts';
import { bodyMarkup } from './markup.ts';
import type { ReportData } from './report-data.ts';
import { STYLES } from './styles.ts';
import { writePayload } from './write-payload.ts';

const ICON = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path fill='#888' d='M1 13 7 2l4 11z'/><path fill='#d33' d='m5 14 6-9 4 9z'/></svg>`;

/**
 * The report as one HTML file that needs no network: text, tables, style, script and data. Its content security
 * policy lets only its own style and script run and forbids every connection. Equal data gives an equal file.
 */
export function renderHtmlReport(data: ReportData): string {
  const policy = [
    "default-src 'none'",
    `script-src '${contentHash(PAGE_SCRIPT)}'`,
    `style-src '${contentHash(STYLES)}'`,
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
<script type="application/octet-stream" id="data">${writePayload(data)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function contentHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
