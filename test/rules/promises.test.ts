// Unhandled promises, which are forbidden: a rejection would end the process, and later code would not wait.
import { join, relative } from 'node:path'
import ts from 'typescript5'
import { expect, it } from 'vitest'
import { full } from '../support/sample.ts'
import { root } from '../support/sources.ts'

const handled = new Set(['catch', 'then', 'finally'])

/** Returns the calls that are statements and return a promise. `void` before a call marks it as intended. */
function listFloating(program: ts.Program): string[] {
  const checker = program.getTypeChecker()
  const floating: string[] = []
  const visit = (node: ts.Node, file: ts.SourceFile): void => {
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      const { expression: callee } = node.expression
      const isHandled = ts.isPropertyAccessExpression(callee) && handled.has(callee.name.text)
      const isPromise = checker.getTypeAtLocation(node.expression).symbol?.name === 'Promise'
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      if (isPromise && !isHandled) floating.push(`${relative(root, file.fileName)}:${line + 1}`)
    }
    ts.forEachChild(node, (child) => visit(child, file))
  }
  for (const file of program.getSourceFiles())
    if (!file.isDeclarationFile && !file.fileName.includes('node_modules')) visit(file, file)
  return floating
}

// checking types of the whole program takes too long for each run
it.runIf(full)('each promise is awaited, returned or marked with void', { timeout: 300_000 }, () => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const own = fileNames.filter((name) => /^(?:internal|cmd)\//.test(relative(root, name)))
  expect(own.length).toBeGreaterThan(500)
  expect(listFloating(ts.createProgram(own, options))).toEqual([])
})
