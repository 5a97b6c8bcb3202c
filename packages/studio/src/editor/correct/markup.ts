/** The section that leads from a file with clips to one whose pose has been corrected. */
export const CORRECT_SECTION = `
  <details class="section correct" id="edit-correct" open hidden>
    <summary>Correct a pose</summary>
    <div class="rows" id="edit-correct-offer">
      <p class="quiet" id="edit-correct-about"></p>
      <p class="caution" id="edit-correct-aside" hidden>What you have done to this shape is put aside meanwhile. Preparing a pose takes its place for your next visit: save the project first to keep both.</p>
      <button type="button" class="button primary" id="edit-correct-choose">Choose a pose</button>
    </div>
    <div class="rows" id="edit-correct-pose" hidden>
      <label id="edit-correct-mesh-field">Mesh <select id="edit-correct-mesh"></select></label>
      <label>Clip <select id="edit-correct-clip"></select></label>
      <label>Time, seconds <input type="number" id="edit-correct-time" min="0" step="any" /></label>
      <div>
        <p class="count"><b id="edit-correct-pairs" class="none">–</b> <span id="edit-correct-pairs-label">pairs touch</span></p>
        <p class="quiet" id="edit-correct-at-bind"></p>
      </div>
      <div class="buttons" role="group" aria-label="Frames with contacts">
        <button type="button" class="button" id="edit-correct-previous" title="The frame before this one in which something touches (Shift+N)">Previous</button>
        <button type="button" class="button" id="edit-correct-worst" title="The frame in which most pairs touch (W)">Worst frame</button>
        <button type="button" class="button" id="edit-correct-next" title="The next frame in which something touches (N)">Next</button>
      </div>
      <button type="button" class="button primary" id="edit-correct-prepare" title="Makes a shape of this pose, to take hold of and to resolve">Prepare</button>
      <button type="button" class="button" id="edit-correct-leave" title="To the model without a pose">Back to the shape</button>
    </div>
    <div class="rows" id="edit-correct-work" hidden>
      <p class="quiet" id="edit-correct-which"></p>
      <table class="counters" aria-label="Contacts">
        <thead><tr><td></td><th scope="col">Before</th><th scope="col">Now</th></tr></thead>
        <tbody>
          <tr><th scope="row">Pairs that touch</th><td id="edit-correct-before"></td><td id="edit-correct-now"></td></tr>
          <tr><th scope="row">of these at bind already</th><td id="edit-correct-before-bind"></td><td id="edit-correct-now-bind"></td></tr>
          <tr><th scope="row">Vertices moved</th><td></td><td id="edit-correct-moved"></td></tr>
          <tr title="In the pose, and of the size of the mesh"><th scope="row">by up to</th><td></td><td id="edit-correct-furthest"></td></tr>
        </tbody>
      </table>
      <p class="agreement" id="edit-correct-verdict" role="status"></p>
      <button type="button" class="button primary" id="edit-correct-resolve" title="Takes apart what touches">Resolve</button>
      <label>Morph target <input type="text" id="edit-correct-name" maxlength="200" /></label>
      <label title="Over how many seconds it comes, and goes again">Ramp, seconds <input type="number" id="edit-correct-ramp" min="0.001" step="any" /></label>
      <button type="button" class="button" id="edit-correct-save" title="The file with this correction as a morph target, which the clip drives">Save GLB</button>
      <div class="buttons">
        <button type="button" class="button" id="edit-correct-keep" title="Keeps this correction in the file, and goes on to another pose of it">Keep, next pose</button>
        <button type="button" class="button" id="edit-correct-drop" title="Another pose, without this correction">Drop it</button>
      </div>
    </div>
  </details>`;

/** How many pairs touch in each frame, and which one is looked at. */
export const CONTACT_STRIP = `
  <div class="strip contact-strip" id="edit-contact-strip" hidden>
    <p class="chart-key"><span class="dot contact"></span>Pairs that touch <span class="dot at-bind"></span>at bind already
      <span class="quiet status" id="edit-scan-text" role="status"></span>
      <button type="button" class="button" id="edit-scan-stop">Stop</button>
    </p>
    <div class="bars">
      <canvas id="edit-bars" aria-hidden="true"></canvas>
      <input type="range" class="frame-slider" id="edit-frame" min="0" max="1" step="1" value="0" aria-label="Frame of the clip" />
    </div>
  </div>`;
