import { InputError } from 'pliant';
import type { PoseChoice } from './correct/animated-file.ts';
import type { Snapshot } from './session.ts';

/** What is kept between visits: a project as a file, once, and what has changed since. */
export interface StoredVisit {
  readonly project: Uint8Array;
  readonly changes: StoredChanges | undefined;
}

export interface StoredChanges {
  /** Which project it belongs to. */
  readonly projectId: string;
  readonly snapshot?: Snapshot;
  /** Of a pose that is looked at. */
  readonly pose?: PoseChoice;
  /** Of a correction: where its vertices are. */
  readonly result?: Float64Array;
}

/** Where a visit is kept. Writing is all or nothing. */
export interface VisitStore {
  readVisit(): Promise<StoredVisit | undefined>;
  writeProject(id: string, project: Uint8Array): Promise<void>;
  writeChanges(changes: StoredChanges): Promise<void>;
  clear(): Promise<void>;
}

const DATABASE = 'pliant-editor';
const STORE = 'visit';

/** In the browser's database; every write is one transaction. */
export class BrowserStore implements VisitStore {
  #database: Promise<IDBDatabase> | undefined;

  async readVisit(): Promise<StoredVisit | undefined> {
    const [project, changes] = await this.#run('readonly', (store) => [
      store.get('project'),
      store.get('changes'),
    ]);
    const { id, bytes } = (project ?? {}) as { id?: string; bytes?: Uint8Array };
    if (id === undefined || !(bytes instanceof Uint8Array)) return undefined;
    const own = changes as StoredChanges | undefined;
    return { project: bytes, changes: own?.projectId === id ? own : undefined };
  }

  async writeProject(id: string, bytes: Uint8Array): Promise<void> {
    await this.#run('readwrite', (store) => [store.put({ id, bytes }, 'project'), store.delete('changes')]);
  }

  async writeChanges(changes: StoredChanges): Promise<void> {
    await this.#run('readwrite', (store) => [store.put(changes, 'changes')]);
  }

  async clear(): Promise<void> {
    await this.#run('readwrite', (store) => [store.clear()]);
  }

  async #run(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest[]): Promise<unknown[]> {
    this.#database ??= openDatabase();
    const database = await this.#database;
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const requests = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(requests.map(({ result }) => result));
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (typeof indexedDB === 'undefined') {
      throw new InputError('unsupported', 'this browser keeps nothing for this page');
    }
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
