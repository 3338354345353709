// Programs that reach the clipboard of the person's desktop: where they are, and what they are told of it.
import { findServerProgram } from '../../lsp/config/program-search.ts'

export type DesktopVariables = Readonly<Record<string, string | undefined>>

/** What these programs find the desktop by. */
const desktopVariables =
  'PATH HOME LANG LC_ALL LC_CTYPE DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR XAUTHORITY WSL_INTEROP'.split(' ')

export function desktopEnvironment(env: DesktopVariables): Readonly<Record<string, string>> {
  return Object.fromEntries(
    desktopVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
}

/**
 * Absolute path of a program on PATH; undefined where there is none. One that lies in the workspace is not
 * the person's: `npx` and `npm run` put such folders first.
 */
export const findDesktopProgram = (
  name: string,
  env: DesktopVariables,
  workspace: string,
): string | undefined => findServerProgram(name, { workspace, trusted: false, env })?.path
