// Substitute for the module `vscode`, which exists only inside the editor, with the members that the
// client library uses.
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Throws for a request of the library that a terminal program cannot answer. */
function throwAbsent(what: string): never {
  throw new Error(`${what}: not in a terminal`)
}

/** Returns an object with these members; any other member is a function that throws. */
function createStub<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get: (target, key) =>
      key in target || typeof key === 'symbol'
        ? Reflect.get(target, key)
        : () => throwAbsent(`vscode.${name}.${key}`),
  })
}

export const version = '1.106.0'

export class Disposable {
  readonly #end: () => void
  constructor(end: () => void) {
    this.#end = end
  }
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose()
    })
  }
  dispose(): void {
    this.#end()
  }
}

const nothing = new Disposable(() => undefined)

type EmitterListener<T> = (event: T) => unknown

export class EventEmitter<T> {
  readonly #listeners = new Set<EmitterListener<T>>()
  readonly event = (listener: EmitterListener<T>, self?: unknown): Disposable => {
    const bound: EmitterListener<T> = self === undefined ? listener : listener.bind(self)
    this.#listeners.add(bound)
    return new Disposable(() => this.#listeners.delete(bound))
  }
  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
  dispose(): void {
    this.#listeners.clear()
  }
}

export class CancellationTokenSource {
  readonly #emitter = new EventEmitter<void>()
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#emitter.event }
  cancel(): void {
    if (this.token.isCancellationRequested) return
    this.token.isCancellationRequested = true
    this.#emitter.fire()
  }
  dispose(): void {
    this.#emitter.dispose()
  }
}

export class CancellationError extends Error {
  override readonly name = 'Canceled'
}

export class Uri {
  readonly #url: URL
  private constructor(url: URL) {
    this.#url = url
  }
  static parse(text: string): Uri {
    return new Uri(new URL(text))
  }
  static file(path: string): Uri {
    return new Uri(pathToFileURL(path))
  }
  get scheme(): string {
    return this.#url.protocol.slice(0, -1)
  }
  get path(): string {
    return decodeURIComponent(this.#url.pathname)
  }
  get fsPath(): string {
    return this.scheme === 'file' ? fileURLToPath(this.#url) : this.path
  }
  toString(): string {
    return this.#url.href
  }
}

export class Position {
  readonly line: number
  readonly character: number
  constructor(line: number, character: number) {
    this.line = line
    this.character = character
  }
}

export class Range {
  readonly start: Position
  readonly end: Position
  constructor(start: Position, end: Position) {
    this.start = start
    this.end = end
  }
}

/** Base classes that the library only extends. */
export class CallHierarchyItem {}
export class CodeAction {}
export class CodeLens {}
export class CompletionItem {}
export class Diagnostic {}
export class DocumentLink {}
export class InlayHint {}
export class SymbolInformation {}
export class TypeHierarchyItem {}
/** Kinds of open editor tabs. A terminal program has no tabs, so these classes have no instances. */
export class TabInputText {}
export class TabInputTextDiff {}
export class TabInputCustom {}
export class TabInputNotebook {}

export const LogLevel = { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 } as const
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const
export const DiagnosticTag = { Unnecessary: 1, Deprecated: 2 } as const
export const SymbolTag = { Deprecated: 1 } as const
export const SymbolKind = { File: 0, Property: 6, TypeParameter: 25 } as const
export const CompletionItemTag = { Deprecated: 1 } as const
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const
export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 } as const
const toKind = (value: string) => ({ value })
export const CodeActionKind = {
  Empty: toKind(''),
  QuickFix: toKind('quickfix'),
  Notebook: toKind('notebook'),
  Refactor: toKind('refactor'),
  RefactorExtract: toKind('refactor.extract'),
  RefactorInline: toKind('refactor.inline'),
  RefactorMove: toKind('refactor.move'),
  RefactorRewrite: toKind('refactor.rewrite'),
  Source: toKind('source'),
  SourceOrganizeImports: toKind('source.organizeImports'),
  SourceFixAll: toKind('source.fixAll'),
} as const

/** Event that never fires: open-documents.ts tracks the documents, not an editor. */
const neverFire = (): Disposable => nothing
const createEvents = (...names: string[]) => Object.fromEntries(names.map((name) => [name, neverFire]))

export const env = createStub('env', { appName: 'Anode', language: 'en', openExternal: async () => false })

export const workspace = createStub('workspace', {
  ...createEvents('onDidOpenTextDocument', 'onDidChangeTextDocument', 'onDidCloseTextDocument'),
  ...createEvents('onWillSaveTextDocument', 'onDidSaveTextDocument', 'onDidChangeConfiguration'),
  ...createEvents('onDidChangeWorkspaceFolders', 'onDidOpenNotebookDocument', 'onDidChangeNotebookDocument'),
  ...createEvents('onDidSaveNotebookDocument', 'onDidCloseNotebookDocument'),
  ...createEvents('onDidCreateFiles', 'onDidRenameFiles', 'onDidDeleteFiles'),
  ...createEvents('onWillCreateFiles', 'onWillRenameFiles', 'onWillDeleteFiles'),
  textDocuments: [],
  notebookDocuments: [],
  workspaceFolders: undefined,
  getConfiguration: () => ({ get: (_key: string, usual?: unknown) => usual, has: () => false }),
  getWorkspaceFolder: () => undefined,
  /** Refuses every edit: servers may read through this client, but not write. */
  applyEdit: async () => false,
})

const showNothing = async () => undefined

/** Output channel that discards messages, because only answers of servers are used. */
const createChannel = () => {
  const mute = () => undefined
  return {
    name: 'anode',
    logLevel: LogLevel.Off,
    onDidChangeLogLevel: neverFire,
    append: mute,
    appendLine: mute,
    replace: mute,
    clear: mute,
    show: mute,
    hide: mute,
    dispose: mute,
    trace: mute,
    debug: mute,
    info: mute,
    warn: mute,
    error: mute,
  }
}

export const window = createStub('window', {
  ...createEvents('onDidChangeActiveTextEditor', 'onDidChangeVisibleTextEditors'),
  activeTextEditor: undefined,
  visibleTextEditors: [],
  tabGroups: { all: [], onDidChangeTabs: neverFire },
  showErrorMessage: showNothing,
  showWarningMessage: showNothing,
  showInformationMessage: showNothing,
  createOutputChannel: createChannel,
})

const createCollection = () => ({ set: () => undefined, delete: () => undefined, dispose: () => undefined })

/** Provider registry without effect: lsp-operations.ts sends the requests, not an editor's commands. */
export const languages = new Proxy(
  { match: () => 0, createDiagnosticCollection: createCollection },
  {
    get: (target, key) => (key in target ? Reflect.get(target, key) : neverFire),
  },
)

export const commands = createStub('commands', { registerCommand: neverFire })
