// What esbuild is told about single packages: which stay outside, and which come into the bundle changed.
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))

/** Native, wasm and worker packages find their own files and stay outside. */
export const external = ['@lydell/node-pty', '@vscode/ripgrep', 'sharp']

/** A file of a package with something replaced; an error when a new version of the package is written otherwise. */
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
 * A lazily imported CommonJS package would come out with a default export only. Each is imported through a module
 * that names its exports, as Node itself sees them.
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

/** Bundles the script part of libsql, which is slow in finding its native part. That one stays where npm put it. */
const driver = {
  name: 'driver',
  setup(build) {
    const path = join(here, 'driver.cjs')
    build.onResolve({ filter: /^(@neon-rs\/load|detect-libc)$/ }, ({ importer }) => {
      return importer.includes('/libsql/') ? { path } : undefined
    })
    build.onLoad({ filter: /\/node_modules\/libsql\/index\.js$/ }, ({ path }) => {
      // it belongs to libsql, and some package managers put it where only libsql sees it
      const far = "require('node:module').createRequire(require.resolve('libsql'))"
      return changed(path, [
        [/return require(\(`@libsql.*`\))/, `try { return require$1 } catch { return ${far}$1 }`],
      ])
    })
  },
}

/**
 * Packages that use zod get a copy of it among themselves. What is used anywhere is kept in the one bundle, and
 * they use everything: every start would load it, for the small part that the tools need.
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
 * zod writes JSON Schema with a third of its code, which no call of a tool needs. It comes in with the whole of zod,
 * so it is taken out there, and who imports `zod/v4/core` gets just that third.
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
 * Packages of MCP bring a validator that makes code of schemas, 150 kB in each. Both sides are given one of ours, so
 * that theirs is never made.
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

/** yargs-parser makes itself a `require` for configuration files, which nobody names; that takes a millisecond. */
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

export const plugins = [namedExports, zodApart, jsonSchemaApart, parserAlone, validatorLeftOut, driver]
