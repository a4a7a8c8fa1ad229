import { storedList } from './stored-list.ts'

export type ChosenList = 'me' | 'all'

// Which list a person last chose in the inbox of a workspace: the tasks for them, or all. Newest last.
const stored = storedList<{ who: string; list: ChosenList }>('lists', 50)
let choices: Map<string, ChosenList> | undefined

function load(): Map<string, ChosenList> {
  choices ??= new Map(stored.load().map(({ who, list }) => [who, list]))
  return choices
}

const keyOf = (userId: string, workspaceId: string) => `${userId} ${workspaceId}`

/** Undefined: they have not chosen yet. */
export function chosenList(userId: string, workspaceId: string): ChosenList | undefined {
  return load().get(keyOf(userId, workspaceId))
}

export function rememberList(userId: string, workspaceId: string, list: ChosenList): void {
  const who = keyOf(userId, workspaceId)
  const known = load()
  if (known.get(who) === list) return
  known.delete(who)
  known.set(who, list)
  stored.save([...known].map(([key, value]) => ({ who: key, list: value })))
}
