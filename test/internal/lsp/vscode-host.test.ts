// The replacement for the editor's module: existing parts work, and missing parts report that
// they are missing.
import { expect, it } from 'vitest'
import * as vscode from '../../../internal/lsp/vscode-host.ts'

it('has every name that the client library extends or uses when it loads', async () => {
  const { LanguageClient } = await import('vscode-languageclient')
  const transports = async () => Promise.reject(new Error('unused'))
  const client = new LanguageClient('a', 'b', transports, { documentSelector: [] })
  expect(client.isRunning()).toBe(false)
})

it('reports functions that a terminal does not have', () => {
  const { window, workspace } = vscode as unknown as Record<string, Record<string, () => void>>
  expect(() => window?.showQuickPick?.()).toThrow('vscode.window.showQuickPick: not in a terminal')
  expect(() => workspace?.openTextDocument?.()).toThrow('not in a terminal')
})

it('lets no server write or open anything', async () => {
  expect(await vscode.workspace.applyEdit()).toBe(false)
  expect(await vscode.env.openExternal()).toBe(false)
})

it('fires events to the remaining listeners', () => {
  const emitter = new vscode.EventEmitter<number>()
  const heard: number[] = []
  const first = emitter.event((value) => heard.push(value))
  emitter.event((value) => heard.push(value * 10))
  emitter.fire(1)
  first.dispose()
  emitter.fire(2)
  expect(heard).toEqual([1, 10, 20])
  const source = new vscode.CancellationTokenSource()
  source.token.onCancellationRequested(() => heard.push(0))
  source.cancel()
  source.cancel()
  expect(source.token.isCancellationRequested).toBe(true)
  expect(heard).toEqual([1, 10, 20, 0])
})

it('converts paths to URLs and back', () => {
  const uri = vscode.Uri.file('/w/a b/ü@1.ts')
  expect(uri.scheme).toBe('file')
  expect(vscode.Uri.parse(uri.toString()).fsPath).toBe('/w/a b/ü@1.ts')
  expect(vscode.Uri.parse('untitled:x').fsPath).toBe('x')
})
