import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderHtmlReport } from '../../src/html/index.ts';
import type { ReportData } from '../../src/html/report-data.ts';
import { largeReport } from './large-report.ts';
import { sampleReport } from './sample-report.ts';

let data: ReportData;
let html: string;

beforeAll(async () => {
  data = await sampleReport();
  html = renderHtmlReport(data);
});

/** Everything a reader sees: without style, script and data. */
function visible(page: string): string {
  return page.replace(/<(style|script)\b.*?<\/\1>/gs, '').replace(/<head>.*?<\/head>/s, '');
}

function sourcesOf(page: string, tag: 'style' | 'script'): string[] {
  return [...page.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text]) => text);
}

describe('one file for itself', () => {
  test('nothing in it comes from elsewhere', () => {
    const outside = html.replace(/id="data">[^<]*</, '');
    expect(outside).not.toMatch(/\bhttps?:\/\//i);
    expect(outside).not.toMatch(/\b(src|action|srcset)\s*=\s*["']/i);
    expect(outside).not.toMatch(
      /@import|\burl\(|\bimport\s*\(|\bfetch\s*\(|XMLHttpRequest|WebSocket|\beval\s*\(/,
    );
    expect([...outside.matchAll(/href="([^"]*)"/g)].every(([, url]) => url.startsWith('data:'))).toBe(true);
  });

  test('its policy allows exactly its own script and style', () => {
    const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)![1];
    const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [script, style] = [sourcesOf(html, 'script'), sourcesOf(html, 'style')];
    expect([script.length, style.length]).toEqual([1, 1]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src ${sha(script[0])};`);
    expect(policy).toContain(`style-src ${sha(style[0])};`);
    expect(policy).not.toContain('unsafe');
    expect(visible(html)).not.toMatch(/\s(style|on\w+)=/); // the policy would block them
  });

  test('equal data gives an equal file', async () => {
    expect(renderHtmlReport(await sampleReport())).toBe(html);
  });

  test('ids are unique and every one the script asks for is there', () => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const references = [...html.matchAll(/aria-(?:controls|labelledby)="([^"]+)"/g)].map(([, id]) => id);
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe('names are text', () => {
  const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&`;

  test('names with markup appear as written', () => {
    expect(visible(html)).toContain('Swell &lt;fast&gt; &amp; &quot;loud&quot;');
    expect(visible(html)).toContain('Ball &lt;/script&gt;');
    expect(visible(html)).not.toContain('<fast>');
  });

  test('nothing a file can name leaves its place', () => {
    const page = renderHtmlReport({
      ...data,
      title: evil,
      files: [evil],
      clips: [evil],
      frames: data.frames.map((frame) => ({ ...frame, clip: evil })),
      settings: [{ label: evil, value: evil }],
      timings: [{ label: evil, value: evil }],
      meshes: data.meshes.map((mesh) => ({
        ...mesh,
        name: evil,
        regions: { ...mesh.regions, names: mesh.regions.names.map(() => evil) },
      })),
    });
    expect(page.match(/<script\b/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img/);
    expect(page).not.toContain('onerror=alert(1)>');
  });

  test('what would be invisible or turn the writing round becomes a dot', () => {
    expect(renderHtmlReport({ ...data, files: ['a\u0000b\u202egnp.exe'] })).toContain('a·b·gnp.exe');
  });
});

describe('the verdict', () => {
  const heading = (page: string) => page.match(/<h1>(.*?)<\/h1>/s)![1].replace(/<[^>]*>/g, '');
  const calm = () => ({
    ...data,
    frames: data.frames.map((frame) => ({ ...frame, count: 0 })),
    regionPairs: [],
  });

  test('counts the frames with contacts and names the worst', () => {
    const touching = data.frames.filter(({ count }) => count > 0).length;
    const most = Math.max(...data.frames.map(({ count }) => count));
    expect(touching).toBeGreaterThan(0);
    expect(heading(html)).toBe(`Contacts in ${touching} of ${data.frames.length} frames`);
    expect(html).toContain(`with ${most} contacts`);
  });

  test('is calm when nothing touches', () => {
    const page = renderHtmlReport(calm());
    expect(heading(page)).toBe(`No contact in ${data.frames.length} frames`);
    expect(page).toContain('Nothing touches in any checked frame.');
    expect(page).toContain('class="top calm"');
  });

  test.each([
    ['cancelled', 'No contact in 48 frames so far', 'The check was stopped'],
    ['out-of-time', 'No contact in 48 frames so far', 'ran out of time'],
    ['truncated', 'No contact in 48 frames', 'Not every contact is listed'],
  ] as const)('%s says what it does not know', (state, title, notice) => {
    const page = renderHtmlReport({ ...calm(), state });
    expect(heading(page)).toBe(title);
    expect(page).toContain(notice);
  });

  test('no frame at all is neither good nor bad', () => {
    const page = renderHtmlReport({ ...data, frames: [], shown: [], regionPairs: [], clips: [] });
    expect(heading(page)).toBe('No frame was checked');
    expect(page).not.toContain('class="top calm"');
  });

  test('one frame is no "1 of 1 frames"', () => {
    const frames = [{ index: 0, clip: '', time: 0, count: 3 }];
    const page = renderHtmlReport({ ...data, clips: [], frames, shown: [], regionPairs: [] });
    expect(heading(page)).toBe('Contacts in the checked frame');
  });
});

describe('the table of regions', () => {
  test('lists most frames first and names both sides', () => {
    const counts = [...html.matchAll(/<td class="number" data-value="(\d+)">[\d,]+<span class="share"/g)];
    const frames = counts.map(([, count]) => Number(count));
    expect(frames).toEqual(data.regionPairs.map((pair) => pair.frames).sort((a, b) => b - a));
    expect(visible(html)).toContain('<span class="mesh">Arm / </span>Wrist &lt;b&gt;');
  });

  test('stays readable with very many pairs', () => {
    const regionPairs = Array.from({ length: 3000 }, () => data.regionPairs[0]);
    const page = renderHtmlReport({ ...data, regionPairs });
    expect(page.match(/<tr class="row"/g)).toHaveLength(500);
    expect(page).toContain('and 2,500 more');
  });
});

test('a rig as large as KayKit_Knight, 2,800 frames, stays within 15 MB', () => {
  const start = performance.now();
  const page = renderHtmlReport(largeReport());
  expect(page.length).toBeLessThan(15e6);
  expect(performance.now() - start).toBeLessThan(30_000);
});
