// Options of esbuild for single packages: which stay outside of the bundle, and which are changed in it.
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Packages with native code, WebAssembly or workers stay outside, because they load their files by path. */
export const external = ['@lydell/node-pty', '@vscode/ripgrep', 'sharp']

/** Returns the changed source of a package file. Throws if a new version of the package has other source. */
function changed(path, replacements) {
  let contents = readFileSync(path, 'utf8')
  for (const [from, to] of replacements) {
    const next = contents.replace(from, to)
    if (next === contents) throw new Error(`${path} has nothing like ${from} now`)
    contents = next
  }
  return { contents, loader: 'js' }
}

/**
 * A lazily imported CommonJS package would have only a default export. Each is imported through a module that
 * names its exports, as Node finds them.
 */
const namedExports = {
  name: 'named-exports',
  setup(build) {
    const bare = /^(@[\w.-]+\/)?[\w-][\w./-]*$/
    build.onResolve({ filter: bare }, async ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import' || isBuiltin(path) || external.includes(path)) return
      const found = await build.resolve(path, { kind: 'import-statement', resolveDir })
      const isModule =
        /\.mjs$/.test(found.path) ||
        /^(export|import)\b|;export (?:function|const|\{)/m.test(readFileSync(found.path, 'utf8'))
      return isModule ? found : { path: found.path, namespace: 'named', pluginData: resolveDir }
    })
    build.onLoad({ filter: /.*/, namespace: 'named' }, async ({ path, pluginData }) => {
      const names = Object.keys(await import(pathToFileURL(path).href)).filter(
        (name) => name !== 'default' && name !== 'module.exports' && name !== '__esModule',
      )
      const from = JSON.stringify(path)
      const contents = `export { ${names.join(', ')} } from ${from}\nexport { default } from ${from}`
      return { contents, resolveDir: pluginData }
    })
  },
}

/**
 * Gives packages that use zod a separate copy. They use all of zod, and in one bundle every start would load
 * all of it, although the tools need a small part.
 */
const zodApart = {
  name: 'zod-apart',
  setup(build) {
    const apart = (path) => ({ path, namespace: 'apart', sideEffects: false })
    build.onResolve({ filter: /^zod(\/|$)/ }, async ({ path, importer, resolveDir, pluginData }) => {
      if (pluginData === apart || !importer.includes('/node_modules/')) return
      return apart(
        (await build.resolve(path, { kind: 'import-statement', resolveDir, pluginData: apart })).path,
      )
    })
    build.onResolve({ filter: /^\./, namespace: 'apart' }, ({ path, resolveDir }) =>
      apart(join(resolveDir, path)),
    )
    build.onLoad({ filter: /.*/, namespace: 'apart' }, ({ path }) => {
      return { contents: readFileSync(path, 'utf8'), resolveDir: dirname(path) }
    })
  },
}

/**
 * A third of zod's code writes JSON Schema, which no call of a tool needs. It is removed from the copy for
 * tools. Importers of `zod/v4/core` get only this third.
 */
const jsonSchemaApart = {
  name: 'json-schema-apart',
  setup(build) {
    build.onResolve({ filter: /^zod\/v4\/core$/ }, async ({ importer, resolveDir }) => {
      if (importer.includes('/node_modules/')) return
      const { path } = await build.resolve('zod/mini', { kind: 'import-statement', resolveDir })
      return {
        path: join(dirname(path), '..', 'v4', 'core', 'json-schema-processors.js'),
        sideEffects: false,
      }
    })
    const json = /^export .* from ".*\/(to-json-schema|json-schema-processors|json-schema-generator)\.js";$/
    const lines = (count) => Array.from({ length: count }, () => [new RegExp(json, 'm'), ''])
    build.onLoad({ filter: /\/zod\/v4\/core\/index\.js$/, namespace: 'file' }, ({ path }) =>
      changed(path, lines(3)),
    )
    build.onLoad({ filter: /\/zod\/v4\/mini\/external\.js$/, namespace: 'file' }, ({ path }) =>
      changed(path, lines(1)),
    )
  },
}

/**
 * The MCP packages contain a validator that compiles schemas, 150 kB in each. It is removed, because Anode
 * passes another validator to client and server.
 */
const validatorLeftOut = {
  name: 'validator-left-out',
  setup(build) {
    build.onLoad({ filter: /\/@modelcontextprotocol\/(client|server)\/dist\/shimsNode\.mjs$/ }, ({ path }) =>
      changed(path, [
        [/^import \{ n as AjvJsonSchemaValidator \} from .*$/m, 'class AjvJsonSchemaValidator {}'],
      ]),
    )
  },
}

/**
 * yargs-parser creates a `require` for configuration files, which takes 1 ms and which Anode does not use.
 */
const parserAlone = {
  name: 'parser-alone',
  setup(build) {
    build.onLoad({ filter: /\/yargs-parser\/build\/lib\/index\.js$/ }, ({ path }) =>
      changed(path, [
        ["import { createRequire } from 'node:module';", ''],
        ['createRequire ? createRequire(import.meta.url) : undefined', 'undefined'],
      ]),
    )
  },
}

export const plugins = [namedExports, zodApart, jsonSchemaApart, parserAlone, validatorLeftOut]
