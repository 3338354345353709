// Imports every module of the project that is not an entry point and prints those that could not be loaded.
import { readdirSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** Modules that start a program, a thread or a page when they are loaded, or belong to the build. */
const entryPoints =
  /^cmd\/(?:anode|library|toolbox)\/main\.ts$|^cmd\/build\/|worker|thread-entry|^internal\/page\/|vscode/

/** The language client imports a module of the editor, which only the bundle contains. */
const editorModule = "Cannot find module 'vscode'"

process.on('uncaughtException', () => undefined)
const failures = []
for (const room of ['cmd', 'internal'])
  for (const name of readdirSync(new URL(room, root), { recursive: true })) {
    const path = `${room}/${name}`
    if (!path.endsWith('.ts') || path.endsWith('.d.ts') || entryPoints.test(path)) continue
    try {
      await import(new URL(path, root).href)
    } catch (error) {
      if (!String(error.message).includes(editorModule)) failures.push(`${path}: ${error.message}`)
    }
  }
process.stdout.write(failures.join('\n'))
process.exit(0)
