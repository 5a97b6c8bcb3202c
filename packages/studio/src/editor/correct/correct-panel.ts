import { create, setText } from '../../ui/dom.ts';
import { formatCount, plural } from '../../ui/format.ts';
import type { ShownFile } from '../engine/correct/animated-file.ts';
import type {
  Answer,
  Command,
  EditorFrame,
  EditorState,
  OpenedModel,
  ShownCorrection,
  TargetOptions,
} from '../engine/protocol.ts';
import type { Layout } from '../ui/layout.ts';
import { ContactStrip } from './contact-strip.ts';

export interface CorrectActions {
  /** At once. */
  send(command: Command): void;
  /** Something that takes a while, with progress and a way to cancel it. */
  begin(command: Command, what: string): void;
}

/** From a file with clips to one whose pose has been corrected: choose, prepare, resolve, save. */
export class CorrectPanel {
  readonly strip: ContactStrip;
  /** What poses can be chosen from. */
  file: ShownFile | undefined;
  readonly #layout: Layout;
  readonly #actions: CorrectActions;
  #model: OpenedModel | undefined;
  #time = 0;

  constructor(layout: Layout, actions: CorrectActions) {
    this.#layout = layout;
    this.#actions = actions;
    this.strip = new ContactStrip(
      layout,
      (time) => this.go(time),
      (isWanted) => {
        actions.send({ type: isWanted ? 'scan' : 'stop-scan' });
        if (isWanted) this.strip.begin();
      },
    );
    this.#listen();
  }

  take(answer: Answer): void {
    switch (answer.type) {
      case 'file':
        this.file = answer.file;
        this.#showFile();
        break;
      case 'scanned':
        if (answer.ticket === this.#model?.ticket) this.strip.take(answer.frames);
        break;
      case 'scan-ended':
        if (answer.ticket === this.#model?.ticket) this.strip.end();
        break;
      case 'resolved':
        this.#showNow(answer.corrected);
        break;
    }
  }

  showModel(model: OpenedModel): void {
    const { get } = this.#layout;
    const { kind, pose, correction } = model;
    this.#model = model;
    get('correct-offer').hidden = kind !== 'shape';
    get('correct-pose').hidden = kind !== 'pose';
    get('correct-work').hidden = kind !== 'correction';
    get('contact-strip').hidden = kind !== 'pose';
    get('step-strip').hidden = kind === 'pose';
    get('legend-bind').hidden = true;
    this.#showFile();
    if (pose === undefined || this.file === undefined) return;
    const { duration } = this.file.clips[pose.clip];
    this.strip.open(pose.frames, duration);
    get<HTMLSelectElement>('correct-mesh').value = String(pose.mesh);
    get<HTMLSelectElement>('correct-clip').value = String(pose.clip);
    get<HTMLInputElement>('correct-time').max = String(duration);
    this.#showTime(pose.time);
    setText(get('correct-which'), this.#nameOfPose());
    if (correction === undefined) return;
    const { before, target } = correction;
    setText(get('correct-before'), formatCount(before.pairs));
    setText(get('correct-before-bind'), formatCount(before.atBind));
    get<HTMLInputElement>('correct-name').value = target.name;
    get<HTMLInputElement>('correct-ramp').value = String(target.ramp);
    this.#showNow(undefined);
  }

  showFrame({ touching, corrected }: EditorFrame): void {
    if (touching === undefined) return; // a shape of its own
    const { get } = this.#layout;
    const count = touching.pairs - touching.atBind;
    setText(get('correct-pairs'), formatCount(touching.pairs));
    get('correct-pairs').classList.toggle('none', count === 0);
    setText(
      get('correct-pairs-label'),
      `${touching.pairs === 1 ? 'pair touches' : 'pairs touch'} at ${shortTime(touching.time)}`,
    );
    setText(
      get('correct-at-bind'),
      touching.atBind > 0 ? `${formatCount(touching.atBind)} of them at bind already: these stay` : '',
    );
    get('legend-bind').hidden = touching.atBind === 0;
    this.#showCount(touching.pairs, touching.atBind);
    if (corrected) this.#showNow(corrected);
  }

  /** Edits of a shape are not kept beside a correction: that is said before. */
  showState({ undoes }: EditorState): void {
    this.#layout.get('correct-aside').hidden = this.#model?.kind !== 'shape' || undoes === undefined;
  }

  /** Another time of the clip. */
  go(time: number | undefined): void {
    if (time === undefined || this.#model?.kind !== 'pose') return;
    this.#showTime(time);
    this.#actions.send({ type: 'choose-pose', time });
  }

  #listen(): void {
    const { get } = this.#layout;
    const { begin, send } = this.#actions;
    const choose = (wanted: { mesh?: number; clip?: number }) =>
      begin({ type: 'choose-pose', ...wanted }, 'Posing');
    const clicks: Record<string, () => void> = {
      choose: () => choose({}),
      previous: () => this.go(this.strip.find('previous')),
      worst: () => this.go(this.strip.find('worst')),
      next: () => this.go(this.strip.find('next')),
      prepare: () => begin({ type: 'prepare-correction' }, 'Preparing the pose'),
      leave: () => begin({ type: 'leave-pose' }, 'Opening'),
      resolve: () => begin({ type: 'resolve' }, 'Resolving contacts'),
      save: () => send({ type: 'save-corrected', ...this.#target }),
      keep: () => begin({ type: 'keep-correction', ...this.#target }, 'Writing the correction'),
      drop: () => choose({}),
    };
    for (const [id, run] of Object.entries(clicks)) get(`correct-${id}`).onclick = run;
    const mesh = get<HTMLSelectElement>('correct-mesh'),
      clip = get<HTMLSelectElement>('correct-clip'),
      time = get<HTMLInputElement>('correct-time');
    mesh.onchange = () => choose({ mesh: Number(mesh.value) });
    clip.onchange = () => choose({ clip: Number(clip.value) });
    time.onchange = () => {
      const value = Number(time.value);
      if (time.value !== '' && value >= 0 && value <= Number(time.max)) this.go(value);
      else this.#showTime(this.#time);
    };
  }

  get #target(): TargetOptions {
    const { get } = this.#layout;
    return {
      name: get<HTMLInputElement>('correct-name').value,
      ramp: Number(get<HTMLInputElement>('correct-ramp').value),
    };
  }

  #showFile(): void {
    const { get } = this.#layout;
    const { file } = this;
    get('correct').hidden = file === undefined;
    if (file === undefined) return;
    const { name, meshes, clips } = file;
    const what = `${plural(meshes.length, 'mesh', 'meshes')} with a skin and ${plural(clips.length, 'clip')}`;
    setText(
      get('correct-about'),
      `${name} has ${what}. Skins push surfaces through themselves: find such a frame, take it apart, and write that back as a morph target.`,
    );
    get('correct-mesh-field').hidden = meshes.length < 2;
    const option = (value: number, text: string) =>
      create('option', { value: String(value), textContent: text });
    const fill = (id: string, options: HTMLOptionElement[]) => {
      const select = get<HTMLSelectElement>(id);
      const { value } = select;
      select.replaceChildren(...options);
      select.value = value;
    };
    fill(
      'correct-mesh',
      meshes.map(({ mesh, name: text, triangles }) =>
        option(mesh, `${text}, ${plural(triangles, 'triangle')}`),
      ),
    );
    fill(
      'correct-clip',
      clips.map(({ name: text, duration }, k) => option(k, `${text} (${Number(duration.toFixed(2))} s)`)),
    );
  }

  #showTime(time: number): void {
    this.#time = time;
    this.strip.time = time;
    this.#layout.get<HTMLInputElement>('correct-time').value = String(Number(time.toFixed(6)));
  }

  #showCount(pairs: number, atBind: number): void {
    const { get } = this.#layout;
    setText(get('correct-now'), formatCount(pairs));
    setText(get('correct-now-bind'), formatCount(atBind));
    get('correct-now').classList.toggle('bad', pairs > atBind);
  }

  #showNow(now: ShownCorrection | undefined): void {
    const { get } = this.#layout;
    const { correction } = this.#model ?? {};
    if (correction === undefined) return;
    setText(get('correct-moved'), now ? formatCount(now.moved) : '');
    const { low, high } = this.#model!;
    const size = Math.max(...high.map((x, a) => x - low[a]));
    const share = (100 * (now?.furthest ?? 0)) / size;
    const far = now && now.furthest > 0 ? `${now.furthest.toPrecision(3)} (${share.toFixed(1)} %)` : '';
    setText(get('correct-furthest'), far);
    if (now === undefined) return;
    this.#showCount(now.pairs, now.atBind);
    const left = now.pairs - now.atBind;
    const isDone = left === 0;
    get('correct-verdict').classList.toggle('bad', !isDone);
    setText(
      get('correct-verdict'),
      isDone ? 'No contact is left to correct.' : `${plural(left, 'contact')} left to correct.`,
    );
    const { classList } = get('correct-resolve');
    classList.toggle('primary', !isDone);
    get('correct-save').classList.toggle('primary', isDone);
  }

  #nameOfPose(): string {
    const { pose, correction } = this.#model!;
    const { meshes, clips } = this.file!;
    const mesh = meshes.length > 1 ? `${meshes.find(({ mesh: m }) => m === pose!.mesh)?.name}, ` : '';
    const shape =
      correction && !correction.hasShape ? '. No shape could be made: contacts are eased only' : '';
    return `${mesh}${clips[pose!.clip].name} at ${shortTime(pose!.time)}${shape}`;
  }
}

function shortTime(time: number): string {
  return `${Number(time.toFixed(3))} s`;
}
