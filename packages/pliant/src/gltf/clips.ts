import { type Accessor, type Accessors, COORDINATES, NUMBERS, ROTATIONS, TIMES } from './accessors.ts';
import type { Elements } from './elements.ts';
import type { GltfChannel, GltfClip, GltfInterpolation, GltfPath } from './gltf-scene.ts';
import { address, type JsonCheck, type JsonObject, nameOf, oneLine } from './json-check.ts';

/** A clip, checked as far as its JSON goes. */
export interface ClipPlan {
  readonly name: string;
  readonly channels: readonly ChannelPlan[];
}

interface ChannelPlan extends Pick<GltfChannel, 'node' | 'path' | 'interpolation' | 'size'> {
  readonly where: string; // animation 0 "Walk", channel 3
  readonly times: Accessor;
  readonly values: Accessor;
}

/**
 * A channel without a node, or of weights where the node has no morph targets, changes nothing and is left out.
 * `morphCounts` has the number of targets of each node's mesh.
 */
export function planClip(
  check: JsonCheck,
  accessors: Accessors,
  def: JsonObject,
  index: number,
  morphCounts: Uint32Array,
): ClipPlan {
  const name = nameOf(def);
  const where = address('animation', index, name);
  const samplers = check.objects(def, 'samplers', `${where}: samplers`);
  const targets = new Set<string>();
  const channels: ChannelPlan[] = [];
  check.objects(def, 'channels', `${where}: channels`).forEach((channel, k) => {
    const place = `${where}, channel ${k}`;
    const target = check.object(channel.target, `${place}: target`);
    if (target.node === undefined) return;
    const node = check.index(target.node, `${place}: target.node`, 'nodes', morphCounts.length);
    const path = readPath(check, target.path, place);
    if (path === 'weights' && morphCounts[node] === 0) return;
    const key = `${node} ${path}`;
    if (targets.has(key)) check.fail('mismatch', `${place}: ${path} of node ${node} has two channels`);
    targets.add(key);
    const sampler = check.index(channel.sampler, `${place}: sampler`, 'samplers', samplers.length);
    channels.push(planChannel(check, accessors, samplers[sampler], place, node, path, morphCounts[node]));
  });
  return { name, channels };
}

export function buildClip(
  check: JsonCheck,
  { name, channels }: ClipPlan,
  elements: Elements,
  known: Set<Float64Array>,
): GltfClip {
  let duration = 0;
  const built = channels.map(({ node, path, interpolation, size, where, times, values }) => {
    const seconds = elements.doubles(times, `${where}, times`);
    if (!known.has(seconds)) checkTimes(check, seconds, where); // many channels share theirs
    known.add(seconds);
    duration = Math.max(duration, endOf(seconds, times));
    return {
      node,
      path,
      interpolation,
      size,
      times: seconds,
      values: elements.doubles(values, `${where}, values`),
    };
  });
  return { name, duration, channels: built };
}

function planChannel(
  check: JsonCheck,
  accessors: Accessors,
  sampler: JsonObject,
  where: string,
  node: number,
  path: GltfPath,
  morphCount: number,
): ChannelPlan {
  const interpolation = readInterpolation(check, sampler.interpolation, where);
  const times = accessors.use(sampler.input, `${where}, times`, TIMES);
  const use = path === 'rotation' ? ROTATIONS : path === 'weights' ? NUMBERS : COORDINATES;
  const values = accessors.use(sampler.output, `${where}, values`, use);
  const perKey = (path === 'weights' ? morphCount : 1) * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  if (times.count === 0) check.fail('empty', `${where} has no keys`);
  if (values.count !== perKey * times.count) {
    const expected = `${perKey} for each of ${times.count} times`;
    check.fail('mismatch', `${where}: ${values.count} values, expected ${expected}`);
  }
  const size = path === 'weights' ? morphCount : values.size;
  return { where, node, path, interpolation, size, times, values };
}

function readPath(check: JsonCheck, path: unknown, where: string): GltfPath {
  if (path === 'translation' || path === 'rotation' || path === 'scale' || path === 'weights') return path;
  const shown = typeof path === 'string' ? `"${oneLine(path, 40)}"` : 'missing';
  check.fail('unsupported', `${where}: target.path is ${shown}`);
}

function readInterpolation(check: JsonCheck, interpolation: unknown, where: string): GltfInterpolation {
  if (interpolation === undefined) return 'LINEAR';
  if (interpolation === 'LINEAR' || interpolation === 'STEP' || interpolation === 'CUBICSPLINE')
    return interpolation;
  const shown = typeof interpolation === 'string' ? `"${oneLine(interpolation, 40)}"` : 'not a text';
  check.fail('unsupported', `${where}: interpolation is ${shown}`);
}

/**
 * The last key. Keys are float32, so that of a clip of 1.3 s lies a little before it; where the file states the number
 * that was rounded, that counts: a frame at 1.3 s belongs to the clip.
 */
function endOf(seconds: Float64Array, { max }: Accessor): number {
  const last = seconds[seconds.length - 1];
  return max !== undefined && Math.fround(max) === last ? max : last;
}

/** Equal times are let through: the later key holds from there on. */
function checkTimes(check: JsonCheck, times: Float64Array, where: string): void {
  for (let i = 1; i < times.length; i++) {
    if (times[i] >= times[i - 1]) continue;
    check.fail('out-of-range', `${where}, times: element ${i} is ${times[i]}, before ${times[i - 1]}`);
  }
}
