import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import type { KeyScope } from '../../../contract/api-key.ts'
import type { AuthorizationPreview } from '../../../contract/connected-app.ts'
import type { Me } from '../../../contract/workspace.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { roleWithArticle } from '../../lib/role-texts.ts'
import { permissionsOf } from '../../lib/scope-permissions.ts'
import { useSignOut } from '../../parts/shell/use-sign-out.tsx'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Logo } from '../../ui/logo.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import styles from './consent-form.module.css'

type AccessRequest = Extract<AuthorizationPreview, { kind: 'request' }>

type Props = {
  me: Extract<Me, { kind: 'person' }>
  request: AccessRequest
  /** Path and query of this page. It opens again if the person signs in with another account. */
  href: string
  /** The decision that is being sent. */
  sending: 'allow' | 'decline' | undefined
  problem: HandrailProblem | undefined
  /** Called with the workspace that the app gets access to, or with none if the person declines. */
  onDecide: (workspaceId?: string) => void
}

/** Shows which app asks for access, and what it may and may not do. The person chooses the workspace. */
export function ConsentForm({ me, request, href, sending, problem, onDecide }: Props) {
  const { client, scopes, workspaces } = request
  const { signOut, dialog } = useSignOut()
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.workspaceId)
  const name = escapeBidi(client.name)
  const isSending = sending !== undefined

  function allow(event: FormEvent) {
    event.preventDefault()
    if (!isSending && workspaceId !== undefined) onDecide(workspaceId)
  }

  function cancel() {
    if (!isSending) onDecide()
  }

  return (
    <StandalonePage
      isWide
      above={<ConnectedTiles name={name} />}
      title={`${name} wants to ${describeAccess(scopes)}`}
      intro={
        <>
          {client.isVerified && (
            <>
              Verified address <strong>{client.address}</strong>.{' '}
            </>
          )}
          You're signed in as <bdi>{me.person.email}</bdi>.{' '}
          <button type="button" className="link" onClick={() => void signOut(href)}>
            Not you?
          </button>
        </>
      }
    >
      {!client.isVerified && <Unverified client={client} />}
      {problem && <ProblemStrip message="The request wasn't completed." problem={problem} />}
      {workspaces.length === 0 ? (
        <NoWorkspace me={me} isSending={isSending} onCancel={cancel} />
      ) : (
        <form onSubmit={allow}>
          <ChoiceGroup
            label="Workspace"
            value={workspaceId ?? ''}
            options={workspaces.map(({ workspaceId, name, role }) => [
              workspaceId,
              escapeBidi(name),
              `You're ${roleWithArticle[role]}`,
            ])}
            onChoose={setWorkspaceId}
          />
          <Permissions name={name} scopes={scopes} />
          <div className={styles.buttons}>
            <button type="button" className="btn" aria-disabled={isSending} onClick={cancel}>
              Cancel
            </button>
            <button type="submit" className="btn primary" aria-disabled={isSending}>
              {sending === 'allow' ? 'Allowing…' : 'Allow access'}
            </button>
          </div>
          <p className={styles.foot}>
            {!client.isLocal && `You'll return to ${client.returnsTo}. `}
            Access ends after 30 days without use, or when you disconnect the app under Settings, Connected
            apps.
          </p>
        </form>
      )}
      {dialog}
    </StandalonePage>
  )
}

function describeAccess(scopes: KeyScope[]): string {
  if (scopes.includes('tasks')) return 'send tasks to people in your workspace'
  if (scopes.includes('tasks:read')) return 'read the tasks of your workspace'
  return 'read the feedback analysis of your workspace'
}

function ConnectedTiles({ name }: { name: string }) {
  return (
    <div className={styles.connected} aria-hidden="true">
      <span className={styles.tile}>{[...name][0]?.toUpperCase()}</span>
      <span className={styles.connector} />
      <span className={styles.tile}>
        <Logo size={22} />
      </span>
    </div>
  )
}

function Unverified({ client }: { client: AccessRequest['client'] }) {
  return (
    <div className="above-16">
      <Strip tone="warn">
        <strong>This app isn't verified.</strong> Handrail can't verify that it is {escapeBidi(client.name)}.
        It will receive access at <strong>{client.address}</strong>.{' '}
        {client.isLocal
          ? 'Continue only if you started this on your own computer.'
          : 'Continue only if you started this at that address.'}
      </Strip>
    </div>
  )
}

const mayNot = [
  'Answer, approve or reject any task',
  'Change settings, members or API keys',
  'Sign in as you, or see your drafts',
]

function Permissions({ name, scopes }: { name: string; scopes: KeyScope[] }) {
  return (
    <div className={styles.permissions}>
      <section>
        <h2>{name} may</h2>
        <ul className={styles.may}>
          {permissionsOf(scopes).map((text) => (
            <li key={text}>
              <Icon of={Check} />
              {text}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{name} may not</h2>
        <ul className={styles.mayNot}>
          {mayNot.map((text) => (
            <li key={text}>
              <Icon of={X} />
              {text}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

/**
 * Shown if there is no workspace to choose. The person is in no workspace, or each of their
 * workspaces either does not allow connected apps (the default), or requires a second factor that
 * this session does not have. Workspaces of the second kind may allow connected apps or not.
 */
function NoWorkspace({
  me,
  isSending,
  onCancel,
}: Pick<Props, 'me'> & { isSending: boolean; onCancel: () => void }) {
  const locked = me.workspaces.filter(({ needsTwoFactor }) => needsTwoFactor)
  const others = me.workspaces.filter(({ needsTwoFactor }) => !needsTwoFactor)
  const managed = others.filter(({ role }) => role !== 'member')
  const otherWord = locked.length > 0 ? 'other ' : ''
  return (
    <div className={styles.none}>
      {locked.length > 0 && (
        <p>
          {locked.length === 1
            ? 'This workspace requires two-factor authentication. Open it to see what to do, then connect again:'
            : 'These workspaces require two-factor authentication. Open one to see what to do, then connect again:'}
        </p>
      )}
      <SettingsLinks workspaces={locked} />
      {me.workspaces.length === 0 && (
        <p>You aren't a member of any workspace. Ask an admin for an invitation. Then connect again.</p>
      )}
      {others.length > 0 && (
        <p>
          {others.length === 1
            ? `Your ${otherWord}workspace doesn't allow connected apps.`
            : `None of your ${otherWord}workspaces allows connected apps.`}{' '}
          {managed.length === 0
            ? 'Ask an admin to allow them under Settings, Connected apps. Then connect again.'
            : 'Allow them in the settings of a workspace, then connect again:'}
        </p>
      )}
      <SettingsLinks workspaces={managed} />
      <button type="button" className="btn full" aria-disabled={isSending} onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}

function SettingsLinks({ workspaces }: { workspaces: Props['me']['workspaces'] }) {
  if (workspaces.length === 0) return null
  return (
    <ul>
      {workspaces.map(({ workspaceId, name }) => (
        <li key={workspaceId}>
          <Link
            className="link"
            to="/w/$workspaceId/settings/$page"
            params={{ workspaceId, page: 'connected-apps' }}
          >
            <bdi>{escapeBidi(name)}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
