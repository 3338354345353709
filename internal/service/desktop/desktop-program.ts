// Programs that access the clipboard of the user's desktop: their paths and their environment.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { findServerProgram } from '../../lsp/config/program-search.ts'

/**
 * Environment variables that clipboard programs get; others are not passed. With those from DISPLAY on,
 * programs find the desktop.
 */
const desktopVariables =
  'PATH HOME LANG LC_ALL LC_CTYPE DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR XAUTHORITY WSL_INTEROP'.split(' ')

export function desktopEnvironment(env: EnvironmentVariables): Readonly<Record<string, string>> {
  return Object.fromEntries(
    desktopVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
}

/**
 * Returns the absolute path of a program on PATH, or undefined if it is missing. Skips programs in the
 * workspace, which the user did not install: `npx` and `npm run` put such directories first on PATH.
 */
export const findDesktopProgram = (
  name: string,
  env: EnvironmentVariables,
  workspace: string,
): string | undefined => findServerProgram(name, { workspace, trusted: false, env })?.path
