// The tools of a session under a toolset: an entry of the catalog for each face whose native tools are there.
import { once } from '../base/once.ts'
import { isRead, type Level } from '../policy/level.ts'
import type { ListedTool, ToolEntry } from '../tool/catalog.ts'
import { toJsonSchema } from '../tool/describe.ts'
import { describeFace } from './describe-mapping.ts'
import { type FaceContext, loadFaceTool, strictestLevel } from './face-tool.ts'
import { facesOf, type NameSpace, type OwnedFace, resolveName } from './resolve-face.ts'
import type { FaceTarget, ToolFace } from './toolset.ts'

/** What a person has asked for beside what a toolset offers by itself. */
export interface FaceSelection {
  /** Exactly these, in this order. */
  only?: readonly string[] | undefined
  /** These besides. */
  extra?: readonly string[] | undefined
}

interface FaceEntryOptions {
  names: NameSpace
  selection: FaceSelection
  /** The registry. */
  natives: readonly ListedTool[]
  /** Whether optional faces are hidden unless asked for. */
  hidesOptional: boolean
  /** Why a face is hidden; absent: it is shown. */
  hiddenBecause(face: OwnedFace, isRead: boolean): string | undefined
}

/** Faces in the order of the toolset, or as asked; then the native tools asked for. */
export function listFaceEntries(options: FaceEntryOptions): ListedTool[] {
  const { names, selection } = options
  const chosen = [...(selection.only ?? []), ...(selection.extra ?? [])].map((name) =>
    resolveName(name, names),
  )
  const isAsked = ({ toolset, face }: OwnedFace) =>
    chosen.some((one) => one.kind === 'face' && one.toolset === toolset && one.face === face)
  const standard = selection.only ? [] : facesOf(names.own).map((one) => ({ kind: 'face' as const, ...one }))
  const entries = new Map<string, ListedTool>()
  const context = faceContext(options)
  for (const one of [...standard, ...chosen]) {
    const made =
      one.kind === 'native' ? nativeEntry(one.name, options) : faceEntry(one, isAsked(one), options, context)
    if (made && !entries.has(made.name)) entries.set(made.name, made)
  }
  return [...entries.values()]
}

function nativeEntry(name: string, { natives }: FaceEntryOptions): ListedTool | undefined {
  const native = natives.find((one) => one.name === name)
  if (!native) return undefined
  const { optional: _, ...entry } = native
  return entry
}

/** Undefined where a native tool that the face needs does not exist. */
function faceEntry(
  owned: OwnedFace,
  isAsked: boolean,
  options: FaceEntryOptions,
  context: Omit<FaceContext, 'toolset'>,
): ListedTool | undefined {
  const { face, toolset } = owned
  const needed = neededTools(face).map((name) => options.natives.find((one) => one.name === name))
  if (needed.some((native) => native === undefined)) return undefined
  const natives = needed as ListedTool[]
  const level = levelOf(face.to, natives)
  const isOffered = isAsked || !face.optional
  const because = options.hiddenBecause(owned, isRead(level))
  const hidden =
    because ??
    (isOffered || !options.hidesOptional ? undefined : `optional: ask with --extra-tool ${face.name}`)
  return {
    name: face.name,
    level,
    origin: 'native',
    summary: face.about.split('\n', 1)[0] ?? '',
    about: face.about,
    schema: toJsonSchema(face.input),
    example: face.example,
    spawns: natives.some((native) => native.spawns),
    natives: natives.map(({ name }) => name),
    optional: isOffered ? undefined : true,
    hidden,
    face: describeFace(owned),
    load: (raw) => loadFaceTool(face, raw, { ...context, toolset }),
  }
}

/** A tool under its bare name; rules and records have the one with its prefix. */
export function bareEntry(
  entry: ListedTool,
  { name, toolset, pager }: { name: string; toolset: string; pager: string | undefined },
): ListedTool {
  const alias = { toolset, name, pager, map: (args: Record<string, unknown>) => ({ args, notes: [] }) }
  return {
    ...entry,
    name,
    natives: [entry.name],
    load: async (raw) => ({ ...(await entry.load(raw)), face: alias }),
  }
}

/** The native tools that calls of a face may become. */
export function neededTools(face: ToolFace): string[] {
  const tools = face.to.flatMap(({ tool, otherwise = {} }) => [
    tool,
    ...Object.values(otherwise).flatMap((other) => other?.tool ?? []),
  ])
  return [...new Set(tools)]
}

/** The highest level that a call of the face can have before its arguments raise it. */
function levelOf(targets: readonly FaceTarget[], natives: readonly ToolEntry[]): Level {
  return targets
    .map(({ tool, level }) =>
      strictestLevel((natives.find((one) => one.name === tool) as ToolEntry).level, level),
    )
    .reduce(strictestLevel)
}

function faceContext({ names, selection, natives }: FaceEntryOptions): Omit<FaceContext, 'toolset'> {
  const offered = facesOf(names.own).filter(({ face }) => !face.optional)
  const serving = new Map<string, string>()
  for (const { face } of offered)
    for (const tool of neededTools(face)) if (!serving.has(tool)) serving.set(tool, face.name)
  const asked = [...(selection.only ?? []), ...(selection.extra ?? [])]
  const loaders = new Map(natives.map(({ name, load }) => [name, once(() => load())]))
  return {
    tools: serving,
    nativeTools: new Set(names.natives),
    pager: serving.get('result') ?? asked.find((name) => name === 'result' || name.endsWith('/result')),
    load: (name) => (loaders.get(name) as () => ReturnType<ToolEntry['load']>)(),
  }
}
