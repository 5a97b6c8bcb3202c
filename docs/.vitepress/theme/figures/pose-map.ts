import type { GaugeKind } from 'pliant/cull';
import { prepareCanvas } from './figure.ts';

type Range = readonly [number, number, number];

const CELLS = 64;
const SLICE = 12; // milliseconds of exploring at a time

/** Which poses touch, asked one by one while the page does other things. */
export class PoseMap {
  readonly #touching = new Uint8Array(CELLS * CELLS);
  readonly #x: Range;
  readonly #y: Range;
  readonly #onChange: () => void;
  #canvas: HTMLCanvasElement | undefined;
  #isStopped = false;

  constructor(x: Range, y: Range, onChange: () => void) {
    this.#x = x;
    this.#y = y;
    this.#onChange = onChange;
  }

  explore(touches: (x: number, y: number) => boolean): void {
    let next = 0;
    const goOn = () => {
      const end = performance.now() + SLICE;
      while (next < CELLS * CELLS && performance.now() < end && !this.#isStopped) {
        const column = next % CELLS,
          row = Math.floor(next / CELLS);
        const x = this.#x[0] + ((this.#x[1] - this.#x[0]) * (column + 0.5)) / CELLS;
        const y = this.#y[1] - ((this.#y[1] - this.#y[0]) * (row + 0.5)) / CELLS;
        this.#touching[next++] = touches(x, y) ? 1 : 0;
      }
      if (this.#isStopped) return;
      this.#onChange();
      if (next < CELLS * CELLS) setTimeout(goOn);
    };
    setTimeout(goOn);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** The pose below the pointer. */
  poseAt(event: PointerEvent): [number, number] {
    const box = (this.#canvas ?? (event.target as Element)).getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width,
      y = (event.clientY - box.top) / box.height;
    return [this.#x[0] + x * (this.#x[1] - this.#x[0]), this.#y[1] - y * (this.#y[1] - this.#y[0])];
  }

  paint(
    canvas: HTMLCanvasElement,
    colours: { text: string; line: string; proved: string; touching: string; soft: string },
    gauge: GaugeKind,
    radius: number,
    pose: { closing: number; sideways: number },
  ): void {
    this.#canvas = canvas;
    const { context, width, height } = prepareCanvas(canvas);
    const scaleX = width / (this.#x[1] - this.#x[0]),
      scaleY = height / (this.#y[1] - this.#y[0]);
    const left = (x: number) => (x - this.#x[0]) * scaleX,
      top = (y: number) => (this.#y[1] - y) * scaleY;

    context.strokeStyle = colours.line;
    context.lineWidth = 1;
    context.strokeRect(0.5, 0.5, width - 1, height - 1);
    drawLine(context, left(0), 0, left(0), height);
    drawLine(context, 0, top(0), width, top(0));
    context.fillStyle = colours.touching;
    const cell = width / CELLS;
    for (let k = 0; k < this.#touching.length; k++) {
      if (this.#touching[k] === 0) continue;
      context.beginPath();
      context.arc(
        ((k % CELLS) + 0.5) * cell,
        (Math.floor(k / CELLS) + 0.5) * (height / CELLS),
        cell / 3,
        0,
        7,
      );
      context.fill();
    }

    context.beginPath();
    if (gauge === 'box') context.rect(left(0), top(radius), radius * scaleX, radius * scaleY);
    else if (gauge === 'ball')
      context.ellipse(left(0), top(0), radius * scaleX, radius * scaleY, 0, 0, 2 * Math.PI);
    else {
      context.moveTo(left(0), top(0));
      context.ellipse(left(0), top(0), radius * scaleX, radius * scaleY, 0, -Math.PI / 2, 0);
      context.closePath();
    }
    context.strokeStyle = context.fillStyle = colours.proved;
    context.lineWidth = 2;
    context.stroke();
    context.globalAlpha = 0.15;
    context.fill();
    context.globalAlpha = 1;

    context.strokeStyle = colours.text;
    const x = left(pose.closing),
      y = top(pose.sideways);
    drawLine(context, x - 8, y, x + 8, y);
    drawLine(context, x, y - 8, x, y + 8);
    context.fillStyle = colours.text;
    context.font = '12px sans-serif';
    context.fillText('closes →', width - 58, height - 8);
    context.fillText('sideways ↑', left(0) + 6, 14);
  }
}

function drawLine(context: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
}
