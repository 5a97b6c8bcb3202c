import { describe, expect, test } from 'vitest';
import { History } from '../src/app/history.ts';
import { Player } from '../src/app/player.ts';

describe('the player', () => {
  test('follows the clock and leaves frames out', () => {
    const player = new Player();
    player.load(100, 30);
    player.advance(1000);
    expect(player.frame).toBe(0); // the clock starts now
    player.advance(1500);
    expect(player.frame).toBe(15);
    player.advance(1000 + 1000 * (110 / 30) + 1);
    expect(player.frame).toBe(10); // round once
  });

  test('a pause does not count', () => {
    const player = new Player();
    player.load(100, 10);
    player.advance(0);
    player.advance(500);
    player.toggle();
    player.advance(9000);
    expect(player.frame).toBe(5);
    player.toggle();
    player.advance(9000);
    player.advance(9100);
    expect(player.frame).toBe(6);
  });

  test('steps round both ends', () => {
    const player = new Player();
    player.load(10, 30);
    player.seek(-1);
    expect(player.frame).toBe(9);
    player.seek(10);
    expect(player.frame).toBe(0);
  });

  test('leaves out no frame of a motion without end', () => {
    const player = new Player();
    player.load(Number.POSITIVE_INFINITY, 60);
    const seen: number[] = [];
    for (let now = 0; now < 1000; now += 45) {
      player.advance(now); // slower than 60 per second
      seen.push(player.frame);
    }
    expect(seen).toEqual(seen.map((_, k) => k));
  });

  test('a motion of one frame stands still', () => {
    const player = new Player();
    player.load(1, 30);
    player.advance(0);
    player.advance(5000);
    expect(player.frame).toBe(0);
    expect(player.canMove).toBe(false);
  });
});

describe('the history', () => {
  test('keeps the last frames and tells how much longer the traditional method took', () => {
    const history = new History();
    expect(history.speedUp).toBeUndefined();
    for (let k = 0; k < 1000; k++) history.add(2, 8);
    const [numbers, traditional, pliant] = history.columns;
    expect(history.speedUp).toBe(4);
    expect(history.means).toEqual({ pliant: 2, traditional: 8 });
    expect(numbers.length).toBe(traditional.length);
    expect(numbers.length).toBe(pliant.length);
    expect(numbers.length).toBeLessThan(1000);
    expect(numbers.at(-1)).toBe(999);
    history.clear();
    expect(history.frames).toBe(0);
  });

  test('knows how high most frames are, whatever single ones did', () => {
    const history = new History();
    expect(history.high).toBe(Number.POSITIVE_INFINITY); // nothing is cut off
    for (let k = 0; k < 100; k++) history.add(k === 50 ? 400 : 1, k < 80 ? 3 : 5);
    expect(history.high).toBe(5);
    expect(history.highest).toBe(400);
  });
});
