import type { Camera } from './camera.ts';

export interface ControlEvents {
  /** The picture has to be drawn again. */
  moved(): void;
  /** A click or tap without moving, in −1…1 from the centre of the canvas. */
  clicked(x: number, y: number): void;
  fit(): void;
}

const TURN = 5; // radians per canvas height
const CLICK_SLACK = 5; // pixels

/** Mouse, touch and keyboard move the camera. */
export function addControls(canvas: HTMLCanvasElement, camera: Camera, events: ControlEvents): void {
  addPointers(canvas, camera, events);
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('dblclick', () => events.fit());
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      const [x, y] = onScreen(canvas, event);
      camera.zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0016), x, y);
      events.moved();
    },
    { passive: false },
  );
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !pressed(event, camera, events)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function pressed(event: KeyboardEvent, camera: Camera, events: ControlEvents): boolean {
  const arrows: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
  };
  const arrow = arrows[event.key];
  if (arrow && event.shiftKey) camera.move(arrow[0] * 0.05, arrow[1] * 0.05);
  else if (arrow) camera.turn(arrow[0] * 0.15, arrow[1] * 0.1);
  else if (event.key === '+' || event.key === '=') camera.zoom(0.85);
  else if (event.key === '-') camera.zoom(1 / 0.85);
  else if (event.key === 'f' || event.key === 'F') events.fit();
  else return false;
  events.moved();
  return true;
}

function addPointers(canvas: HTMLCanvasElement, camera: Camera, events: ControlEvents): void {
  const down = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (down.size === 0) travelled = 0;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener('pointermove', (event) => {
    const last = down.get(event.pointerId);
    if (!last) return;
    const dx = (event.clientX - last.x) / canvas.clientHeight;
    const dy = (event.clientY - last.y) / canvas.clientHeight;
    travelled += Math.hypot(event.clientX - last.x, event.clientY - last.y);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      camera.zoom(before / Math.max(1, after));
      camera.move(-dx / 2, dy / 2);
    } else if (event.buttons & 6 || event.shiftKey) camera.move(-dx, dy);
    else camera.turn(-dx * TURN, dy * TURN);
    last.x = event.clientX;
    last.y = event.clientY;
    events.moved();
  });
  canvas.addEventListener('pointerup', (event) => {
    const alone = down.size === 1 && event.button === 0;
    if (down.delete(event.pointerId) && alone && travelled < CLICK_SLACK) {
      events.clicked(...onScreen(canvas, event));
    }
  });
  canvas.addEventListener('pointercancel', (event) => down.delete(event.pointerId));
}

function onScreen(canvas: HTMLCanvasElement, event: MouseEvent): [x: number, y: number] {
  const box = canvas.getBoundingClientRect();
  return [(2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height];
}
