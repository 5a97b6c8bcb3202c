import { byId, create } from './dom.ts';

/** Messages over the picture. Errors stay until they are closed. */
export class Notices {
  readonly #list = byId('notices');

  error(title: string, text: string): void {
    this.#add('error', title, text, undefined);
  }

  info(title: string, text = '', seconds = 6): void {
    this.#add('info', title, text, seconds);
  }

  clearErrors(): void {
    for (const notice of this.#list.querySelectorAll('.notice.error')) notice.remove();
  }

  #add(kind: 'error' | 'info', title: string, text: string, seconds: number | undefined): void {
    const close = create('button', {
      type: 'button',
      className: 'close',
      ariaLabel: 'Close',
      textContent: '×',
    });
    const notice = create(
      'div',
      { className: `notice ${kind}`, role: kind === 'error' ? 'alert' : 'status' },
      create('div', {}, create('strong', {}, title), text === '' ? '' : create('p', {}, text)),
      close,
    );
    close.onclick = () => notice.remove();
    this.#list.append(notice);
    while (this.#list.childElementCount > 4) this.#list.firstElementChild!.remove();
    if (seconds !== undefined) setTimeout(() => notice.remove(), 1000 * seconds);
  }
}

/** Progress of something that takes a while; undefined hides it. */
export function showProgress(text: string | undefined, share?: number): void {
  byId('progress').hidden = text === undefined;
  byId('progress-text').textContent = text ?? '';
  const bar = byId<HTMLProgressElement>('progress-bar');
  if (share === undefined) bar.removeAttribute('value');
  else bar.value = share;
}
