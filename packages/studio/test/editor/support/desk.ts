import { writeObj } from 'pliant/io';
import { expect } from 'vitest';
import { EditorHost } from '../../../src/editor/engine/editor-host.ts';
import type { Answer, EditorFrame } from '../../../src/editor/engine/protocol.ts';
import type { StoredChanges, StoredVisit, VisitStore } from '../../../src/editor/engine/store.ts';
import { createFork } from './fork.ts';

/** A host with everything it has answered. Pictures are taken at once, unless `isSlow`. */
export class Desk {
  readonly answers: Answer[] = [];
  readonly host: EditorHost;
  isSlow = false;

  constructor(store?: VisitStore) {
    this.host = new EditorHost(
      (answer) => {
        this.answers.push(answer);
        if (answer.type === 'frame' && !this.isSlow) this.giveBack(answer.frame);
      },
      { store },
    );
  }

  giveBack({ ticket, buffers }: EditorFrame): void {
    queueMicrotask(() => void this.host.handle({ type: 'spare', ticket, buffers }));
  }

  last<Type extends Answer['type']>(type: Type): Extract<Answer, { type: Type }> {
    return this.answers.findLast((answer) => answer.type === type) as Extract<Answer, { type: Type }>;
  }

  count(type: Answer['type']): number {
    return this.answers.filter((answer) => answer.type === type).length;
  }

  async openFork(): Promise<void> {
    const files = [{ path: 'models/fork.obj', bytes: writeObj(createFork()) }];
    await this.host.handle({ type: 'open-files', files, resolution: 500 });
  }

  async rest(): Promise<EditorFrame> {
    for (let k = 0; k < 600; k++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const { frame } = this.last('frame') ?? {};
      if (frame?.isAtRest && this.host.session!.isAtRest) return frame;
    }
    throw new Error('it does not come to rest');
  }
}

/** As the browser's database keeps things. */
export class MemoryStore implements VisitStore {
  visit: { id: string; project: Uint8Array; changes?: StoredChanges } | undefined;

  async readVisit(): Promise<StoredVisit | undefined> {
    return this.visit && { project: this.visit.project, changes: this.visit.changes };
  }

  async writeProject(id: string, project: Uint8Array): Promise<void> {
    this.visit = { id, project };
  }

  async writeChanges(changes: StoredChanges): Promise<void> {
    expect(changes.projectId).toBe(this.visit!.id);
    this.visit!.changes = structuredClone(changes);
  }

  async clear(): Promise<void> {
    this.visit = undefined;
  }
}
