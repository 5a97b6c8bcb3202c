export type ToolName = 'browser' | 'redis' | 'openssl';

export interface FoundTool {
  /** The program; undefined when there is none that can be started. */
  readonly path?: string;
  /** Why there is none. */
  readonly problem?: string;
}

export const BROWSER_FLAGS: readonly string[];
export const DRAWING_FLAGS: readonly string[];
export function findTool(name: ToolName): Promise<FoundTool>;
export function findBrowser(): Promise<string | undefined>;
