import { createHash } from 'node:crypto';
import type { ReportData } from './report-data.ts';
import { REPORT_SCRIPT, REPORT_STYLE, reportDocument } from './report-document.ts';
import { writePayload } from './write-payload.ts';

/**
 * The report as one HTML file that needs no network: text, tables, style, script and data. Its content security
 * policy lets only its own style and script run and forbids every connection. Equal data gives an equal file.
 */
export function renderHtmlReport(data: ReportData): string {
  const hashes = { script: contentHash(REPORT_SCRIPT), style: contentHash(REPORT_STYLE) };
  return reportDocument(data, writePayload(data), hashes);
}

function contentHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
