import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SceneClient, type SceneListener } from '../src/app/scene-client.ts';
import { Host } from '../src/host/host.ts';
import type { FrameResult, OpenedScene, Reply, Request } from '../src/host/protocol.ts';
import { inspector } from '../src/scenes/inspector.ts';
import type { SceneDefinition, SceneRequest, Stage } from '../src/scenes/scene.ts';
import { openRequest } from './support/stages.ts';

/** Scenes that go wrong, beside those of the gallery. */
const extra = vi.hoisted(() => new Map<string, object>());
vi.mock('../src/scenes/registry.ts', async (load) => {
  const actual = await load<typeof import('../src/scenes/registry.ts')>();
  return { ...actual, findScene: (id: string) => extra.get(id) ?? actual.findScene(id) };
});

const SPRING = { shape: 'spring', triangles: 1000 };
const BALL = { shape: 'ball', triangles: 1000 };
const wants = { curves: false, trace: false };

function addScene(id: string, open: (request: SceneRequest) => Promise<Stage>): void {
  extra.set(id, { id, title: id, summary: id, controls: inspector.controls, open } satisfies SceneDefinition);
}

describe('the host', () => {
  let host: Host;
  let replies: Reply[];
  let ticket: number;

  beforeEach(() => {
    host = new Host();
    replies = [];
    ticket = 0;
  });

  const send = (request: Request) => host.handle(request, (reply) => void replies.push(reply));
  const open = (scene: string, values = SPRING, shown = 0) =>
    send({ ...openRequest(scene, values, ++ticket), shown } as Request);
  const ask = (shown: number, frame: number) =>
    send({ type: 'frame', ticket: ++ticket, shown, clip: 0, frame, wants, values: SPRING });
  const kinds = () => replies.filter(({ type }) => type !== 'progress').map((r) => `${r.ticket} ${r.type}`);
  const last = () => replies.at(-1) as Reply & { type: 'frame' };

  test('a scene that never gets ready keeps nobody waiting, and is freed when it is ready after all', async () => {
    const dispose = vi.fn();
    let finish!: (stage: Stage) => void;
    addScene('stuck', () => new Promise((resolve) => (finish = resolve)));
    void open('stuck');
    await vi.waitFor(() => expect(finish).toBeDefined());
    await open('inspector');
    expect(kinds()).toEqual(['1 dropped', '2 opened']);
    finish({ dispose } as unknown as Stage);
    await vi.waitFor(() => expect(dispose).toHaveBeenCalledOnce());
    expect(kinds()).toEqual(['1 dropped', '2 opened']);
  });

  test('a scene comes with its first frame, which is brought into range', async () => {
    const request = openRequest('inspector', SPRING, 1) as Request & { type: 'open' };
    await send({ ...request, first: { clip: 7, frame: 130, wants } });
    const [reply] = replies as (Reply & { type: 'opened' })[];
    expect(reply.first).toMatchObject({ clip: 0, frame: 10, agree: true });
    expect(reply.first.positions.length).toBe(3 * reply.scene.vertexCount);
  });

  test('what is shown stays when the next scene fails: at once, in its first frame, or after another was built', async () => {
    addScene('failing', () => Promise.reject(new Error('no')));
    addScene('late', async (request) => {
      const stage = await inspector.open(request);
      let calls = 0;
      const goTo: Stage['goTo'] = (clip, frame) => {
        if (++calls > 6) throw new Error('no first frame'); // queries were warmed up before
        return stage.goTo(clip, frame);
      };
      return { ...stage, goTo };
    });
    await open('inspector', SPRING);
    await ask(1, 5);
    const before = last().result.positions.slice();
    await open('failing', SPRING, 1);
    await open('late', SPRING, 1);
    await open('inspector', BALL, 1); // ready, but the page wants another one by now:
    await open('failing', SPRING, 1);
    await ask(1, 5);
    expect(kinds()).toEqual([
      '1 opened',
      '2 frame',
      '3 failed',
      '4 failed',
      '5 opened',
      '6 failed',
      '7 frame',
    ]);
    expect(last().result.positions).toEqual(before);
  });

  test('frames of a scene that is gone are dropped; so is what waits behind a scene that is wanted', async () => {
    await open('inspector', SPRING);
    await open('inspector', BALL, 1);
    await ask(2, 1); // from now on only the second is shown
    await ask(1, 1);
    await ask(2, 1);
    const waiting = [ask(2, 2), open('inspector', SPRING, 2), open('inspector', BALL, 2)];
    await Promise.all(waiting);
    expect(kinds()).toEqual([
      '1 opened',
      '2 opened',
      '3 frame',
      '4 dropped',
      '5 frame',
      '6 dropped',
      '7 dropped',
      '8 opened',
    ]);
  });

  test('values of another scene, or none, never reach a stage', async () => {
    const seen: unknown[] = [];
    addScene('telling', async (request) => ({
      ...(await inspector.open(request)),
      setValues: (values) => void seen.push(values),
    }));
    await open('telling');
    await send({ type: 'frame', ticket: 2, shown: 1, clip: 0, frame: 1, wants, values: { wind: 9 } });
    expect(kinds()).toEqual(['1 opened', '2 frame']);
    expect(seen).toEqual([{ shape: 'spring', triangles: 16_000 }]);
  });

  test('a simulation on its way to a far frame is given up when another scene is wanted', async () => {
    const request = openRequest('flag', { detail: 'coarse', certificate: false }, 1) as Request & {
      type: 'open';
    };
    let next: Promise<void> | undefined;
    await host.handle({ ...request, first: { clip: 0, frame: 999_999_999, wants } }, (reply) => {
      replies.push(reply);
      if (reply.type === 'progress' && /^Simulating/.test(reply.what)) {
        ticket = 1;
        next ??= open('inspector');
      }
    });
    await next;
    expect(kinds()).toEqual(['1 dropped', '2 opened']);
  });

  test('a page that fails to take a reply does not stop the host', async () => {
    await host
      .handle(openRequest('inspector', SPRING, 1), () => {
        throw new Error('the page is broken');
      })
      .catch(() => {});
    ticket = 1;
    await open('inspector', SPRING);
    expect(kinds()).toEqual(['2 opened']);
  });
});

describe('the page’s end of the conversation', () => {
  const sent: Request[] = [];
  const heard: string[] = [];
  let client: SceneClient;

  beforeEach(() => {
    sent.length = heard.length = 0;
    const listener: SceneListener = {
      showScene: ({ id }) => void heard.push(`scene ${id}`),
      showFrame: ({ frame }) => void heard.push(`frame ${frame}`),
      showProgress: (what) => void heard.push(what),
      saveReport: (_, name) => void heard.push(name),
      fail: (message, _, wish) => void heard.push(`${wish?.scene}: ${message}`),
    };
    client = new SceneClient({ send: (request) => void sent.push(request) }, listener);
  });

  const choice = { clip: 0, frame: 0, wants };
  const wish = (scene: string) => client.open({ scene, values: {}, files: [] }, 'auto', choice);
  const opened = (of: number, id: string): Reply => ({
    type: 'opened',
    ticket: of,
    scene: { id } as OpenedScene,
    first: {} as FrameResult,
  });

  test('heeds the answer to its latest request, and none to earlier ones, in any order', () => {
    wish('a'); // 1
    client.take(opened(1, 'a')); // and 2: the scene before can go
    client.askFrame(choice, {}, undefined); // 3
    wish('b'); // 4
    wish('c'); // 5
    const stale: Reply[] = [
      { type: 'frame', ticket: 3, result: { frame: 3 } as FrameResult },
      { type: 'progress', ticket: 4, what: 'b', share: 0 },
      { type: 'failed', ticket: 4, message: 'b', isExpected: true },
      { type: 'failed', ticket: 3, message: 'a', isExpected: true },
      opened(4, 'b'),
      opened(1, 'a'),
      { type: 'report', ticket: 2, kind: 'json', text: '', name: 'a.json' },
    ];
    for (const reply of stale) client.take(reply);
    expect(client.opening?.scene).toBe('c');
    client.take({ type: 'progress', ticket: 5, what: 'c', share: 0 });
    client.take(opened(5, 'c'));
    for (const reply of stale) client.take(reply);
    expect(heard).toEqual(['scene a', 'c', 'scene c']);
    expect(sent.map(({ type, ticket: own, shown }) => [type, own, shown])).toEqual([
      ['open', 1, 0],
      ['keep', 2, 1],
      ['frame', 3, 1],
      ['open', 4, 1],
      ['open', 5, 1],
      ['keep', 6, 5],
    ]);
    expect(client.isBusy).toBe(false);
  });

  test('a scene that is no longer wanted is not shown, and can be asked for again', () => {
    wish('a');
    client.cancelOpening();
    client.take(opened(1, 'a'));
    expect(heard).toEqual([]);
    expect(client.isBusy).toBe(false);
    wish('a');
    client.take(opened(3, 'a'));
    expect(heard).toEqual(['scene a']);
  });
});
