import { escapeHtml } from './escape-html.ts';
import type { ReportData, ReportFact, ReportRegionRef } from './report-data.ts';
import {
  clipLabel,
  formatCount,
  frameLabel,
  plural,
  regionLabel,
  type Summary,
  sortRegionPairs,
  summarise,
} from './summary.ts';

/** Region pairs that stand in the table; the page names how many it leaves out. */
const TABLE_ROWS = 500;

const ICONS = {
  touching: '<path d="M12 2 1 21h22L12 2zm-1 7h2v6h-2V9zm0 8h2v2h-2v-2z"/>',
  calm: '<path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.4 14.6-4.2-4.2L7.8 11l2.8 2.8 5.6-5.6 1.4 1.4z"/>',
  nothing: '<path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM6 11h12v2H6z"/>',
  theme: '<path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2.2v15.6a7.8 7.8 0 0 1 0-15.6z"/>',
  play: '<path d="M7 4v16l13-8z"/>',
  back: '<path d="M15.5 5v14L6 12z"/>',
  forward: '<path d="M8.5 5v14L18 12z"/>',
  previous: '<path d="M6 5h2.5v14H6zM19 5v14L9.5 12z"/>',
  next: '<path d="M15.5 5H18v14h-2.5zM5 5v14l9.5-7z"/>',
} as const;

/** What stands in <body>, complete without the script except for pictures. All names are escaped here. */
export function bodyMarkup(data: ReportData): string {
  const summary = summarise(data);
  return [
    headerMarkup(data, summary),
    noticeMarkup(data, summary),
    `<noscript><p class="notice">The timeline and the 3D view need JavaScript.</p></noscript>
<p class="notice" id="trouble" role="alert" hidden></p>
<main>`,
    VIEW,
    sideMarkup(data, summary),
    timelineMarkup(data),
    '</main>',
    factsMarkup(data),
    '<p class="foot">Two triangles are in contact when they intersect and share no vertex, in exact arithmetic. Written by Pliant (<code>pliant check --html</code>).</p>',
  ].join('\n');
}

function headerMarkup(data: ReportData, summary: Summary): string {
  const { worst, touchingFrames, frameCount, contacts, triangles } = summary;
  const touching = touchingFrames > 0;
  const details = [
    touching && frameCount > 1
      ? `<span>Worst: <button type="button" class="link" id="worst">${escapeHtml(frameLabel(data.frames[worst]))}</button>
 with ${plural(data.frames[worst].count, 'contact')}</span>`
      : '',
    touching ? `<span>${plural(contacts, 'contact')}${frameCount > 1 ? ' in total' : ''}</span>` : '',
    data.clips.length > 1 ? `<span>${plural(data.clips.length, 'clip')}</span>` : '',
    `<span>${plural(data.meshes.length, 'mesh', 'meshes')}, ${plural(triangles, 'triangle')}</span>`,
  ];
  return `<header class="top ${touching ? 'touching' : frameCount > 0 ? 'calm' : ''}">
<div>
<p class="files">${data.files.map(escapeHtml).join(', ')}</p>
<div class="verdict">${icon(touching ? 'touching' : frameCount > 0 ? 'calm' : 'nothing')}<h1>${verdict(data, summary)}</h1></div>
<p class="details">${details.filter(Boolean).join('')}</p>
</div>
<button type="button" class="button" id="theme" hidden>${icon('theme')}<span>Dark</span></button>
</header>`;
}

function verdict(data: ReportData, { touchingFrames, frameCount }: Summary): string {
  const soFar = data.state === 'complete' || data.state === 'truncated' ? '' : ' so far';
  if (frameCount === 0) return 'No frame was checked';
  if (touchingFrames > 0 && frameCount === 1) return `<b>Contacts</b> in the checked frame${soFar}`;
  if (touchingFrames > 0) {
    return `<b>Contacts in ${formatCount(touchingFrames)}</b> of ${plural(frameCount, 'frame')}${soFar}`;
  }
  return `<b>No contact</b> in ${frameCount === 1 ? 'the checked frame' : plural(frameCount, 'frame')}${soFar}`;
}

function noticeMarkup({ state }: ReportData, { frameCount }: Summary): string {
  const texts = {
    complete: '',
    cancelled:
      frameCount === 0
        ? 'The check was stopped before a frame was finished.'
        : `The check was stopped. This report covers the ${plural(frameCount, 'frame')} finished by then.`,
    'out-of-time': 'The check ran out of time: the contacts listed are real, but there may be more.',
    truncated: 'Not every contact is listed. The counts are complete.',
  };
  return texts[state] === '' ? '' : `<p class="notice">${texts[state]}</p>`;
}

const VIEW = `<section class="view card" aria-label="3D view">
<canvas id="view" tabindex="0" role="application" aria-roledescription="3D view" aria-label="The model in the chosen frame. Arrow keys turn it, shift and arrow keys move it, plus and minus zoom, F fits it into view."></canvas>
<div class="tools" id="tools" hidden>
<div class="group" role="group" aria-label="Colours">
<button type="button" class="button" id="colour-contacts" aria-pressed="true">Contacts</button>
<button type="button" class="button" id="colour-heat" aria-pressed="false">Heat map</button>
</div>
<div class="group" role="group" aria-label="Surface">
<button type="button" class="button" id="see-through" aria-pressed="false">See through</button>
<button type="button" class="button" id="edges" aria-pressed="false">Edges</button>
</div>
<button type="button" class="button push" id="fit" title="Show the whole model (F)">Fit</button>
</div>
<p class="picked" id="picked" role="status" hidden></p>
<div class="legend" id="legend" hidden></div>
<p class="hint" id="hint" hidden>Drag to turn, right-drag to move, wheel to zoom</p>
<div class="no-view" id="no-view" hidden></div>
</section>`;

function sideMarkup(data: ReportData, summary: Summary): string {
  return `<section class="side card" aria-label="Contacts">
<div class="tabs" role="tablist">
<button type="button" role="tab" id="tab-regions" aria-controls="panel-regions" aria-selected="true">Where, in all frames</button>
<button type="button" role="tab" id="tab-frame" aria-controls="panel-frame" aria-selected="false" tabindex="-1">In this frame<span id="frame-count"></span></button>
</div>
<div class="panel" role="tabpanel" id="panel-regions" aria-labelledby="tab-regions" tabindex="0">${regionTable(data, summary)}</div>
<div class="panel" role="tabpanel" id="panel-frame" aria-labelledby="tab-frame" tabindex="0" hidden></div>
</section>`;
}

function regionTable(data: ReportData, { frameCount, touchingFrames }: Summary): string {
  if (touchingFrames === 0) {
    const text = frameCount === 0 ? 'Nothing to show.' : 'Nothing touches in any checked frame.';
    return `<p class="empty">${text}</p>`;
  }
  const pairs = sortRegionPairs(data.regionPairs);
  const meshes = data.meshes.map(({ name, node, regions }) => ({ name, node, regionNames: regions.names }));
  const label = (ref: ReportRegionRef) => {
    const { mesh, region } = regionLabel(meshes, ref);
    return `${mesh === '' ? '' : `<span class="mesh">${nameMarkup(mesh)} / </span>`}${nameMarkup(region)}`;
  };
  const rows = pairs.slice(0, TABLE_ROWS).map(({ a, b, frames, pairs: contacts, firstFrame }) => {
    const first = data.frames[firstFrame];
    const second = a[0] === b[0] && a[1] === b[1] ? 'itself' : label(b);
    return `<tr class="row" data-a="${a[0]},${a[1]}" data-b="${b[0]},${b[1]}">
<td><button type="button" class="link">${label(a)} <span class="other"><span class="with">&times;</span>${second}</span></button></td>
<td class="number" data-value="${frames}">${formatCount(frames)}<span class="share" data-share="${(frames / frameCount).toFixed(4)}"></span></td>
<td class="number" data-value="${contacts}">${formatCount(contacts)}</td>
<td class="number" data-value="${firstFrame}" title="${escapeHtml(frameLabel(first))}">${formatCount(first.index)}</td>
</tr>`;
  });
  const more =
    pairs.length > TABLE_ROWS ? `<p class="more">and ${formatCount(pairs.length - TABLE_ROWS)} more</p>` : '';
  return `<table id="regions">
<caption class="unseen">Regions that touch, counted over all checked frames. Choose one to see it.</caption>
<thead><tr><th scope="col">Regions</th>
<th scope="col" class="number" aria-sort="descending"><button type="button">Frames</button></th>
<th scope="col" class="number"><button type="button">Contacts</button></th>
<th scope="col" class="number"><button type="button" title="First frame">First</button></th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>${more}`;
}

function timelineMarkup(data: ReportData): string {
  const options = data.clips.map(
    (clip, k) => `<option value="${k}">${escapeHtml(clipLabel(clip === '' ? String(k) : clip))}</option>`,
  );
  return `<section class="time card" id="time" aria-label="Timeline" hidden>
<div class="transport">
<div class="group" role="group" aria-label="Playback">
<button type="button" class="button icon" id="previous" aria-label="Previous frame with contacts" title="Previous frame with contacts">${icon('previous')}</button>
<button type="button" class="button icon" id="back" aria-label="One frame back" title="One frame back (left arrow)">${icon('back')}</button>
<button type="button" class="button icon" id="play" aria-label="Play" title="Play (space)">${icon('play')}</button>
<button type="button" class="button icon" id="forward" aria-label="One frame forward" title="One frame forward (right arrow)">${icon('forward')}</button>
<button type="button" class="button icon" id="next" aria-label="Next frame with contacts" title="Next frame with contacts">${icon('next')}</button>
</div>
<p class="now" id="now" aria-live="polite"></p>
${pictureNote(data)}
${data.clips.length > 1 ? `<label>Clip <select id="clip"><option value="">All ${data.clips.length}</option>${options.join('')}</select></label>` : ''}
</div>
<div class="chart" id="chart" role="slider" tabindex="0" aria-label="Frame" aria-valuemin="0" aria-valuemax="0" aria-valuenow="0">
<canvas id="bars"></canvas><p class="tip" id="tip" hidden></p></div>
</section>`;
}

function pictureNote({ shown, frames }: ReportData): string {
  if (shown.length === frames.length) return '';
  return `<p class="quiet"><i class="tick"></i>${formatCount(shown.length)} of ${plural(frames.length, 'frame')} have a picture</p>`;
}

function factsMarkup(data: ReportData): string {
  const meshes = data.meshes.map(
    ({ name, node, triangleCount, skin, morphs }) => `<tr><td>${escapeHtml(name || `node ${node}`)}</td>
<td class="number">${formatCount(triangleCount)}</td>
<td class="number">${skin ? formatCount(skin.jointNames.length) : '–'}</td><td class="number">${morphs ? formatCount(morphs.count) : '–'}</td></tr>`,
  );
  return `<div class="facts">
${factList('Settings', data.settings)}
${factList('Timings', data.timings)}
<section class="card"><h2>Meshes</h2><div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col" class="number">Triangles</th><th scope="col" class="number">Joints</th><th scope="col" class="number">Morphs</th></tr></thead>
<tbody>
${meshes.join('\n')}
</tbody></table></div></section>
</div>`;
}

function factList(title: string, facts: readonly ReportFact[]): string {
  if (facts.length === 0) return '';
  const items = facts.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<section class="card"><h2>${title}</h2><dl>${items.join('\n')}</dl></section>`;
}

/** May break after the marks that names are joined with. */
function nameMarkup(name: string): string {
  return escapeHtml(name).replace(/[_.:/|-](?=[A-Za-z]{3})/g, '$&<wbr>');
}

function icon(name: keyof typeof ICONS): string {
  return `<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">${ICONS[name]}</svg>`;
}
