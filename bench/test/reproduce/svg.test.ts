import { expect, test } from 'vitest';
import { drawBars, drawLines, drawShares } from '../../src/reproduce/svg.ts';

/** Labels of an SVG. */
function texts(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]);
}

test('lines: round ticks, gaps where there is no value, dashes for the paper', () => {
  const svg = drawLines({
    title: 'A & B',
    x: { label: 'x', log: true },
    y: { label: 'y' },
    curves: [
      { name: 'ours', x: [1, 10, 100], y: [1, Number.NaN, 3] },
      { name: 'paper', x: [1, 10, 100], y: [2, 3, 4.5], isPaper: true },
    ],
  });
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  expect(svg).toContain('aria-label="A &amp; B"');
  expect(svg).toContain('stroke-dasharray');
  expect(texts(svg)).toEqual(expect.arrayContaining(['1', '2', '3', '5', '10', '100', 'ours', 'paper']));
});

test.each([[[1, 1]], [[0, 0]], [[-3, 5]], [[1e-7, 1e7]], [[5]], [[]]])('any values can be drawn: %j', (y) => {
  const x = y.map((_, k) => k + 1);
  for (const log of [false, true]) {
    const svg = drawLines({
      title: 't',
      x: { label: 'x', log },
      y: { label: 'y', log },
      curves: [{ name: 'a', x, y }],
    });
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  }
});

test('bars leave out what is missing', () => {
  const groups = [
    { name: 'one', values: [3, 5] },
    { name: 'two', values: [undefined, 4] },
  ];
  const svg = drawBars({
    title: 't',
    y: { label: 'y', from: 1, log: true },
    bars: [{ name: 'a' }, { name: 'b' }],
    groups,
  });
  expect(svg.match(/<rect class="f/g)).toHaveLength(3 + 2); // and two of the legend
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test('shares add up to the whole', () => {
  const svg = drawShares({ title: 't', parts: ['a', 'b'], rows: [{ name: 'r', shares: [3, 1] }] });
  expect(texts(svg)).toEqual(expect.arrayContaining(['75 %', '25 %']));
});

test('notes beside shares end within the picture', () => {
  const note = '15.1 ns per triangle';
  const svg = drawShares({ title: 't', parts: ['a'], rows: [{ name: 'r', note, shares: [1] }] });
  const x = Number(svg.match(new RegExp(`<text x="([\\d.]+)"[^>]*>${note}`))![1]);
  const width = Number(svg.match(/viewBox="0 0 (\d+)/)![1]);
  expect(x + 6.6 * note.length).toBeLessThanOrEqual(width);
});
