import { create } from '../../ui/dom.ts';
import { CONTACT_STRIP, CORRECT_SECTION } from '../correct/markup.ts';
import { createHelp } from './help.ts';

/** The elements of the editor, beside those of the page. They are made once, and shown while it is open. */
export interface Layout {
  readonly stage: HTMLElement;
  readonly side: HTMLElement;
  readonly time: HTMLElement;
  readonly tools: HTMLElement;
  /** An element by its id. */
  get<Element extends HTMLElement = HTMLElement>(id: string): Element;
}

const STAGE = `
  <canvas id="edit-view" tabindex="0" role="img" aria-label="The shape. Click it to add a handle, drag handles to move it. Arrow keys move chosen handles, and turn the picture when none is chosen."></canvas>
  <ul class="legend" aria-label="Legend">
    <li id="edit-legend-contact"><span class="swatch contact"></span>touching</li>
    <li id="edit-legend-bind" hidden><span class="swatch at-bind"></span>touching at bind already</li>
    <li class="of-shapes"><span class="swatch handle"></span>handle</li>
    <li class="of-shapes"><span class="swatch pinned"></span>pinned</li>
    <li class="of-shapes"><span class="swatch rigid"></span>rigid</li>
    <li id="edit-legend-levels"><span class="levels"><i></i><i></i><i></i><i></i></span>manipulators, levels 0 to 3</li>
    <li id="edit-legend-heat" hidden><span class="heat"></span>local functions in use</li>
  </ul>
  <p class="main-thread" id="edit-main-thread" title="Script work of the page per picture: 19 of 20 pictures take less. The solver runs in a worker."></p>
  <div class="progress" id="edit-progress" role="status" hidden>
    <span id="edit-progress-text"></span>
    <progress id="edit-progress-bar" max="1"></progress>
    <button type="button" class="button" id="edit-cancel">Cancel</button>
  </div>
  <div class="drop-target" aria-hidden="true"><span>Drop to edit</span></div>`;

const TOOLS = `
    <div class="group" role="group" aria-label="What a pointer does">
      <button type="button" class="button" id="edit-tool-handle" aria-pressed="true" title="Click adds handles, drag moves them (H)">Handle</button>
      <button type="button" class="button" id="edit-tool-pin" aria-pressed="false" title="Outline what stays where it is (P)">Pin</button>
      <button type="button" class="button" id="edit-tool-rigid" aria-pressed="false" title="Outline what moves as one (G)">Rigid</button>
    </div>
    <div class="group" role="group" aria-label="Outline" id="edit-outline" hidden>
      <button type="button" class="button" id="edit-box" aria-pressed="true" title="A box (L changes)">Box</button>
      <button type="button" class="button" id="edit-lasso" aria-pressed="false" title="A free outline (L changes)">Lasso</button>
      <button type="button" class="button" id="edit-through" aria-pressed="false" title="Also what faces away">Through</button>
    </div>
    <div class="group" role="group" aria-label="Undo">
      <button type="button" class="button" id="edit-undo" title="Undo (Ctrl+Z)">Undo</button>
      <button type="button" class="button" id="edit-redo" title="Redo (Ctrl+Shift+Z)">Redo</button>
    </div>
    <div class="group" role="group" aria-label="Chosen">
      <button type="button" class="button" id="edit-add" title="Add a handle in the middle of the picture (A)">Add</button>
      <button type="button" class="button" id="edit-more" aria-pressed="false" title="Clicks add to what is chosen, as with Shift">Several</button>
      <button type="button" class="button" id="edit-turn" aria-pressed="false" title="The gizmo turns instead of moving: regions and obstacles (E)">Turn</button>
      <button type="button" class="button" id="edit-remove" title="Remove what is chosen (Delete)">Remove</button>
    </div>
    <div class="group" role="group" aria-label="Whole">
      <button type="button" class="button" id="edit-reset" title="Back to the model's own shape">Reset</button>
      <button type="button" class="button" id="edit-tour" title="Two minutes through the editor">Tour</button>
    </div>`;

const SIDE = `${CORRECT_SECTION}
  <section class="headline" aria-label="Step time">
    <p class="speedup"><output id="edit-step">–</output><span id="edit-step-note">milliseconds per step, median</span></p>
    <dl class="times">
      <div><dt><span class="dot pliant"></span>19 of 20 steps</dt><dd id="edit-step-high">–</dd></div>
      <div><dt><span class="dot traditional"></span>Full method</dt><dd id="edit-full">–</dd></div>
    </dl>
    <p class="count"><b id="edit-contacts" class="none">0</b> <span id="edit-contacts-label">contacts push</span></p>
    <p class="agreement" id="edit-figures"></p>
    <button type="button" class="button wide" id="edit-measure" title="Measures a step in which every vertex of the cage is free, with the contacts at hand">Measure the full method</button>
  </section>
  <details class="section" open>
    <summary>Model</summary>
    <div class="rows">
      <label>Example <select id="edit-example"></select></label>
      <div class="buttons">
        <button type="button" class="button" id="edit-open" title="GLB, OBJ, PLY, STL, tetrahedra, or a project (O)">Open…</button>
        <button type="button" class="button" id="edit-save" title="Save the project (Ctrl+S)">Save project</button>
      </div>
      <p class="quiet" id="edit-about"></p>
    </div>
  </details>
  <section class="settings" id="edit-settings" aria-label="Settings"></section>
  <details class="section of-shapes" open>
    <summary>Handles and regions</summary>
    <ol class="picks" id="edit-controls" aria-label="Handles and regions"></ol>
    <p class="more" id="edit-no-controls">Click the shape to add a handle.</p>
  </details>
  <details class="section of-shapes" open>
    <summary>Obstacles</summary>
    <div class="rows">
      <div class="buttons" role="group" aria-label="Add an obstacle">
        <button type="button" class="button" data-obstacle="ground">Ground</button>
        <button type="button" class="button" data-obstacle="sphere">Sphere</button>
        <button type="button" class="button" data-obstacle="capsule">Capsule</button>
        <button type="button" class="button" data-obstacle="box">Box</button>
        <button type="button" class="button" data-obstacle="mesh">Mesh…</button>
      </div>
    </div>
    <ol class="picks" id="edit-obstacles" aria-label="Obstacles"></ol>
    <div class="rows" id="edit-size" hidden></div>
  </details>
  <details class="section of-shapes of-sessions" open>
    <summary>Session</summary>
    <div class="rows">
      <div class="buttons">
        <button type="button" class="button" id="edit-record" aria-pressed="false" title="Record what you do (R)">Record</button>
        <button type="button" class="button" id="edit-replay" title="Play the recording">Replay</button>
        <button type="button" class="button" id="edit-keep" title="Keep this pose for a sequence (K)">Keep pose</button>
      </div>
      <p class="quiet" id="edit-session"></p>
    </div>
  </details>
  <details class="section of-shapes" open>
    <summary>Export</summary>
    <div class="rows">
      <div class="buttons">
        <button type="button" class="button" data-export="obj">OBJ</button>
        <button type="button" class="button" data-export="glb">GLB</button>
        <button type="button" class="button" data-export="morph" title="The model with this shape as a morph target">Morph target</button>
        <button type="button" class="button of-sessions" data-export="sequence" title="Kept poses, else the recording, as an animated GLB">Poses, GLB</button>
        <button type="button" class="button of-sessions" data-export="cache" title="The same as an OBJ and a point cache">Poses, PC2</button>
        <button type="button" class="button" id="edit-png">Picture</button>
      </div>
    </div>
  </details>
  <input type="file" id="edit-file" multiple hidden />
  <input type="file" id="edit-mesh-file" multiple hidden />`;

const TIME = `${CONTACT_STRIP}
  <div class="strip" id="edit-step-strip">
    <p class="chart-key"><span class="dot pliant"></span>Step <span class="dot traditional"></span>Full method, measured once <span class="quiet">milliseconds, logarithmic</span><span class="quiet status" id="edit-status" role="status"></span></p>
    <div class="chart" id="edit-chart" role="img" aria-label="Milliseconds per step"></div>
  </div>`;

export function createLayout(): Layout {
  const stage = create('div', { className: 'stage editor-stage', id: 'edit-stage', innerHTML: STAGE });
  const side = create('aside', { className: 'side editor-side', ariaLabel: 'Editing', innerHTML: SIDE });
  const time = create('section', { className: 'time editor-time', ariaLabel: 'Step times', innerHTML: TIME });
  const tools = create('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Tools', innerHTML: TOOLS });
  document.querySelector('.middle')!.append(create('div', { className: 'editor-room' }, tools, stage));
  document.querySelector('.side')!.after(side);
  document.querySelector('.time')!.after(time);
  document.getElementById('shortcuts')!.after(createHelp());
  return {
    stage,
    side,
    time,
    tools,
    get: <Element extends HTMLElement = HTMLElement>(id: string) => {
      const element = document.getElementById(`edit-${id}`);
      if (element === null) throw new Error(`there is no #edit-${id}`);
      return element as Element;
    },
  };
}
