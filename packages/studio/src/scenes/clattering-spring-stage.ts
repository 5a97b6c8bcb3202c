import {
  type ContactEvent,
  createSpringDrop,
  ModalOscillators,
  type ReducedBody,
  type SoundModel,
  type SpringDrop,
} from 'pliant/simulate';
import { CertifiedCasts, formatTime } from './certified-cast.ts';
import type { SpringDetail } from './clattering-spring.ts';
import { nameOf } from './drop-model.ts';
import { type Lease, Prepared, stageOn } from './prepared.ts';
import type { FactRow, FrameFacts, SceneRequest, Stage, StageSound, Strikes } from './scene.ts';

const FPS = 60;
const YOUNG = 1.5e9; // softer than the library's, so that coils meet
const TILT = 0.08; // it lands on its end
const HEIGHT = 0.6; // metres it falls
const SECONDS = 0.01; // nothing is recorded: it sounds live
const DAMPING = { alpha: 2, beta: 2e-8 }; // of its tones, as the library's
const LOUD = 8; // a strong strike, as the sum of what it adds to all tones

/** The spring falls from frame 0 on. */
export async function createSpringStage(request: SceneRequest, detail: SpringDetail): Promise<Stage> {
  const lease = await prepareSpring(request, detail, Number(request.values.steps));
  return stageOn(lease, (spring) => createStage(request, spring));
}

function createStage(request: SceneRequest, { drop, start: atRest }: PreparedSpring): Stage {
  const { engine } = request;
  const { model, certificate, sound } = drop;
  const { surface } = model;
  const pose = new Float64Array(model.modeCount);
  const place = new Float64Array(12);
  const shared = {
    engine,
    mesh: surface,
    modes: model.surfaceModes,
    certificate,
    poses: [pose],
    places: [place],
  };
  const ears = new StrikeList(sound);
  const touched = new Set<number>();
  const counts = { floor: 0, self: 0 };
  const own = new BodyState(drop.body); // stages with other settings may let go of the same spring
  let at = -1;
  let values = request.values;
  let stepTime = Number.NaN;
  const hear = (event: ContactEvent) => {
    ears.add(event, surface.sourceVertex[event.vertex]);
    touched.add(event.vertex);
    if (event.partner < 0) counts.floor++;
    else counts.self += 0.5; // told of both sides
  };

  const goTo = (_: number, frame: number) => {
    if (frame < at || at < 0) {
      atRest.restore(drop.body);
      at = 0;
    } else if (drop.onContact !== hear) {
      own.restore(drop.body);
    }
    drop.onContact = hear;
    const [collider] = drop.scene.colliders;
    if (collider.certificates.length > 0 !== values.certificate) {
      collider.setCertificates(values.certificate ? [certificate!.forBody(collider)] : []);
    }
    touched.clear();
    counts.floor = counts.self = 0;
    ears.begin(drop.scene.time);
    const start = performance.now();
    const before = at;
    for (; at < frame; at++) drop.step(1 / FPS);
    if (at > before) stepTime = (performance.now() - start) / (at - before);
    own.save(drop.body);
    pose.set(drop.body.q);
    drop.body.getWorldMatrix(place);
  };
  const rows = (): FactRow[] => [
    ['Frame of the simulation', formatTime(stepTime), `1/${FPS} s, which is ${formatTime(1000 / FPS)}`],
    ['Contacts with the floor', String(counts.floor), 'In all steps since the frame before'],
    ['Contacts of coils', String(Math.round(counts.self)), 'In all steps since the frame before'],
  ];
  const tell = (facts: FrameFacts): FrameFacts => {
    const around = new Set<number>();
    const { start, list } = surface.adjacency;
    for (const v of touched) for (let i = start[v]; i < start[v + 1]; i++) around.add(list[i]);
    return { ...facts, lit: [{ mesh: 0, triangles: Uint32Array.from(around) }], strikes: ears.take() };
  };
  const casts = new CertifiedCasts(shared, values.certificate === true, rows);
  const { radius } = model;
  return {
    ...casts.stageParts((next) => {
      values = next;
    }),
    files: ['spring'],
    meshes: [{ name: 'spring', node: null, mesh: surface, sourceTriangles: surface.triangles, tone: 0 }],
    clips: [{ name: null, frameCount: Number.POSITIVE_INFINITY }],
    fps: FPS,
    outlook: [0.35, 0.18, 1],
    corners: [-3 * radius, 0, 0, 3 * radius, 0, 0, 0, 0, -2 * radius, 0, 0, 2 * radius],
    sound: createSound(sound, Number(request.values.pitch)),
    notes: ['“Let go” plays it with sound'],
    createCast: (isTraditional) => {
      const cast = casts.create(isTraditional);
      const facts = cast.tell.bind(cast);
      return Object.assign(cast, { tell: () => tell(facts()) });
    },
    goTo,
  };
}

interface PreparedSpring {
  readonly drop: SpringDrop;
  readonly start: BodyState;
}

const springs = new Prepared<PreparedSpring>(({ drop }) => {
  drop.certificate?.body.dispose();
  drop.dispose();
});

function prepareSpring(
  { engine, onProgress, signal }: SceneRequest,
  detail: SpringDetail,
  stepsPerSecond: number,
): Promise<Lease<PreparedSpring>> {
  return springs.lease(engine, JSON.stringify([detail, stepsPerSecond]), async () => {
    const drop = await createSpringDrop(engine, {
      ...detail,
      young: YOUNG,
      certificate: true,
      stepsPerSecond,
      height: HEIGHT,
      tilt: TILT,
      seconds: SECONDS,
      signal,
      onProgress: (stage, share) => onProgress?.(nameOf(stage), share),
    });
    return { drop, start: new BodyState(drop.body) };
  });
}

/** How a body stood and moved at a moment. */
class BodyState {
  readonly #state: readonly Float64Array[];

  constructor(body: ReducedBody) {
    this.#state = partsOf(body).map((part) => part.slice());
  }

  save(body: ReducedBody): void {
    partsOf(body).forEach((part, k) => void this.#state[k].set(part));
  }

  restore(body: ReducedBody): void {
    partsOf(body).forEach((part, k) => void part.set(this.#state[k]));
    body.frame.update();
  }
}

function partsOf({ frame, q, velocities, momentum, angularMomentum }: ReducedBody): Float64Array[] {
  return [frame.position, frame.orientation, q, velocities, momentum, angularMomentum];
}

/** Tones `pitch` times as high as those of this spring: a spring as much smaller would sound like that. */
function createSound(model: SoundModel, pitch: number): StageSound {
  const { frequencies, sampleRate, strikeLength } = model;
  const heard = frequencies.map((f) => Math.min(pitch * f, 0.45 * sampleRate));
  const eigenvalues = heard.map((f) => (2 * Math.PI * f) ** 2);
  const { coefficients } = new ModalOscillators(eigenvalues, 1 / sampleRate, DAMPING);
  const { gains } = model.resonatorData;
  const loudest = Math.max(...gains);
  return {
    coefficients,
    gains: gains.map((gain) => gain / loudest),
    sampleRate,
    strikeLength: Math.max(1, Math.round(strikeLength / pitch)),
    loudness: 1 / LOUD,
  };
}

/** Strikes of a frame, those of one step together. */
class StrikeList {
  readonly #model: SoundModel;
  #start = 0;
  #times: number[] = [];
  #impulses: Float64Array[] = [];
  #last = Number.NaN;

  constructor(model: SoundModel) {
    this.#model = model;
  }

  begin(time: number): void {
    this.#start = time;
    this.#times = [];
    this.#impulses = [];
    this.#last = Number.NaN;
  }

  add({ time, impulse }: ContactEvent, vertex: number): void {
    if (time !== this.#last) {
      this.#last = time;
      this.#times.push(time - this.#start);
      this.#impulses.push(new Float64Array(this.#model.audibleModes.length));
    }
    this.#model.project(vertex, impulse[0], impulse[1], impulse[2], this.#impulses.at(-1)!);
  }

  take(): Strikes {
    const count = this.#model.audibleModes.length;
    const impulses = new Float64Array(count * this.#impulses.length);
    this.#impulses.forEach((own, k) => void impulses.set(own, k * count));
    return { times: Float64Array.from(this.#times), impulses };
  }
}
