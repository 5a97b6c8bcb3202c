import { DEFAULT_MAX_PAIRS } from '../frames/check-options.ts';
import type { ReportFact } from '../html/report-data.ts';
import type { RunTiming } from '../output/stats-json.ts';
import { grouped } from '../output/text.ts';
import type { CheckSettings } from './check-settings.ts';

const SCOPES = { all: 'within meshes and between them', self: 'within meshes', between: 'between meshes' };

/** The settings of a run as the HTML report lists them. */
export function reportSettings(
  { check, minFrames, allow }: CheckSettings,
  certificates: string | undefined,
  culling: readonly ReportFact[] = [],
): ReportFact[] {
  const { clips, fps, frames, times, scope, adjacent, continuous, method, bounds, maxPairs, ignore, shard } =
    check;
  const facts: [string, string | undefined | false][] = [
    ['Looked at', SCOPES[scope]],
    ['Clips', clips.length > 0 && clips.join(', ')],
    ['Frames per second', times ? undefined : String(fps)],
    ['Frames', frames && `${frames[0]}–${frames[1]}`],
    ['Times', times && `${times.slice(0, 20).join(', ')}${times.length > 20 ? ', …' : ''}`],
    ['Folds between neighbours', adjacent && 'yes'],
    ['Between frames', continuous && 'continuous, straight steps'],
    ['Method', method],
    ['Volumes', bounds !== 'auto' && bounds],
    ['Certificates', certificates],
    [
      'Pairs listed per frame',
      maxPairs !== undefined && maxPairs !== DEFAULT_MAX_PAIRS && `at most ${grouped(maxPairs)}`,
    ],
    ['Collapsed meshes', check.includeCollapsed && 'looked at'],
    ['Ignored', ignore.length > 0 && ignore.map(describeRule).join(', ')],
    ['Must last', minFrames > 1 && `${minFrames} frames`],
    ['Known contacts', allow],
    ['Shard', shard && `${shard.index}/${shard.count}`],
  ];
  return [...facts.flatMap(([label, value]) => (value ? [{ label, value }] : [])), ...culling];
}

export function reportTimings(
  frames: number,
  { threads, loadSeconds, checkSeconds }: RunTiming,
): ReportFact[] {
  const rate = frames / Math.max(1e-9, checkSeconds);
  return [
    { label: 'Opening files', value: `${loadSeconds.toFixed(2)} s` },
    { label: 'Checking', value: `${checkSeconds.toFixed(2)} s` },
    { label: 'Frames per second', value: rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate)) },
    { label: 'Threads', value: String(threads) },
  ];
}

function describeRule({ pattern, other }: { pattern: string; other?: string }): string {
  return other === undefined ? pattern : `${pattern} with ${other}`;
}
