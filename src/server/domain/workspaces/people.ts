import { newId } from '../../lib/ids.ts'
import {
  deleteChallenges,
  deleteTwoFactor,
  insertPerson,
  replacePassword,
} from '../../storage/people/people.ts'
import type { Auth, AuthOptions } from './better-auth.ts'
import { createSignIn } from './sign-in.ts'
import { createSignInSessions, extendAfterSeconds, idleSeconds } from './sign-in-sessions.ts'

export type People = ReturnType<typeof createPeople>

/**
 * People, their passwords and their sessions: better-auth on our database. Workspaces and
 * memberships are our own, because a change and its audit row must be one transaction.
 */
export function createPeople(options: AuthOptions) {
  const { database, authSecret } = options
  let loading: Promise<Auth> | undefined
  /** Loaded on first use, because loading takes longer than a whole CLI command that needs no account. */
  function auth(): Promise<Auth> {
    loading ??= import('./better-auth.ts').then(({ createAuth }) =>
      createAuth({ ...options, idleSeconds, extendAfterSeconds }),
    )
    return loading
  }

  /** Returns undefined if the address was registered concurrently. */
  async function create(person: {
    email: string
    name: string
    /** Left out: the person signs in with single sign-on. */
    password?: string
    emailVerified: boolean
  }): Promise<string | undefined> {
    const { password: passwords } = await auth()
    const { name, emailVerified, password } = person
    const email = person.email.toLowerCase()
    const id = newId('person')
    const passwordHash = password === undefined ? undefined : await passwords.hash(password)
    const isAdded = await insertPerson(database, { id, email, name, emailVerified, passwordHash })
    return isAdded ? id : undefined
  }

  async function isCurrentPassword(userId: string, candidate: string): Promise<boolean> {
    const { password } = await auth()
    const hash = await passwordHashOf(userId)
    return hash ? await password.verify({ hash, password: candidate }) : false
  }

  async function passwordHashOf(userId: string): Promise<string | null | undefined> {
    const { internalAdapter } = await auth()
    const accounts = await internalAdapter.findAccounts(userId)
    return accounts.find((account) => account.providerId === 'credential')?.password
  }

  /** False for people who only use single sign-on. */
  async function hasPassword(userId: string): Promise<boolean> {
    return Boolean(await passwordHashOf(userId))
  }

  /**
   * Also ends every session, sign-in in progress and password link. `provesAddress`: the person
   * used a mailed link. If their address was unverified, it becomes verified and their second
   * factor is removed.
   */
  async function setPassword(userId: string, newPassword: string, { provesAddress = false } = {}) {
    const { password } = await auth()
    return await replacePassword(database, userId, await password.hash(newPassword), { provesAddress })
  }

  /** Ends sign-ins that still await a code. Mailed links stay valid. */
  const endChallenges = (userId: string) => deleteChallenges(database, userId)

  async function rename(userId: string, name: string): Promise<void> {
    const { internalAdapter } = await auth()
    await internalAdapter.updateUser(userId, { name })
  }

  async function markVerified(userId: string): Promise<void> {
    const { internalAdapter } = await auth()
    await internalAdapter.updateUser(userId, { emailVerified: true })
  }

  /** Returns false if it was already off. */
  const disableTwoFactor = (userId: string) => deleteTwoFactor(database, userId)

  return {
    /** Called at service start, so that the first request does not wait for it. */
    load: async () => void (await auth()),
    create,
    isCurrentPassword,
    hasPassword,
    setPassword,
    endChallenges,
    rename,
    markVerified,
    disableTwoFactor,
    ...createSignIn(database, auth),
    ...createSignInSessions(database, authSecret, auth),
  }
}
