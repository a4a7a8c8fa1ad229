import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Slack, SlackChannel } from '../../../../contract/slack.ts'
import { useRole } from '../../../lib/role.ts'
import { formatTime } from '../../../lib/time.ts'
import { useGroups } from '../../../lib/use-groups.ts'
import { useNow } from '../../../lib/use-now.ts'
import { usePolicies } from '../../../lib/use-policies.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { NotAllowed } from '../../../ui/not-allowed.tsx'
import { PageFrame } from '../../../ui/page-frame.tsx'
import { Step, Steps } from '../../../ui/steps.tsx'
import { Strip } from '../../../ui/strip.tsx'
import { ChannelForm } from './channel-form.tsx'
import { ConnectedTeam } from './connected-team.tsx'
import { TokenForm } from './token-form.tsx'

export function SlackPage() {
  const { isAtLeast } = useRole()
  return (
    <PageFrame
      title="Slack"
      intro="Handrail posts tasks to your channels. Members who have linked their Slack user can answer there, unless the workspace or a policy forbids it."
    >
      <NotAllowed minRole="admin" to="connect Slack and choose channels" />
      <LinkHint />
      {isAtLeast('admin') && <SlackSettings />}
    </PageFrame>
  )
}

function LinkHint() {
  const { workspaceId } = useWorkspace()
  return (
    <p className="above-12 text-ink-2">
      Each member links their own Slack user in{' '}
      <Link
        className="link"
        to="/w/$workspaceId/settings/$page"
        params={{ workspaceId, page: 'notifications' }}
      >
        Settings, Notifications
      </Link>
      .
    </p>
  )
}

function SlackSettings() {
  const { api, workspaceId } = useWorkspace()
  const slack = useQuery({
    queryKey: ['slack', workspaceId],
    queryFn: ({ signal }) => api.slack(signal),
  })
  return (
    <Loaded query={slack} subject="The Slack settings">
      {(settings) => (
        <>
          <Problems slack={settings} />
          <SetUpSteps slack={settings} />
        </>
      )}
    </Loaded>
  )
}

function Problems({ slack: { connection, buttonsOff: whyNoButtons } }: { slack: Slack }) {
  const now = useNow()
  if (!connection || !(connection.problem || whyNoButtons)) return null
  const { problem, problemAt } = connection
  return (
    <div className="above-16 stack">
      {problem && (
        <Strip tone="neg">
          Slack refused a message{problemAt && ` (${formatTime(problemAt, now)})`}. {problem}
        </Strip>
      )}
      {whyNoButtons && <Strip tone="warn">{whyNoButtons}</Strip>}
    </div>
  )
}

function SetUpSteps({ slack }: { slack: Slack }) {
  const { connection, manifest, channels } = slack
  const isConnected = connection !== undefined
  return (
    <Steps>
      <Step n={1} title="Create the Slack app" isDone={isConnected} isHighlighted={!isConnected}>
        <p>
          {isConnected
            ? 'The app was installed in your Slack workspace.'
            : 'Choose “From a manifest” in Slack, paste the manifest as JSON, create the app and install it in your Slack workspace.'}
        </p>
        <div className="above-12 cluster">
          <CopyButton className="btn" confirmation="text" text={() => manifest}>
            Copy manifest
          </CopyButton>
          {!isConnected && (
            <a className="btn" href="https://api.slack.com/apps?new_app=1" target="_blank" rel="noreferrer">
              Create an app in Slack
            </a>
          )}
        </div>
      </Step>
      <Step n={2} title="Connect it to this workspace" isDone={isConnected} isHighlighted={!isConnected}>
        {connection ? (
          <ConnectedTeam connection={connection} linkedPeople={slack.linkedPeople} />
        ) : (
          <TokenForm />
        )}
      </Step>
      <Step n={3} title="Choose channels" isDone={channels.length > 0} isHighlighted={isConnected}>
        <p>
          To post in a private channel, the app must be in it. Invite it there:{' '}
          <code className="nowrap">/invite @Handrail</code>
        </p>
        {isConnected && <Channels saved={channels} />}
      </Step>
    </Steps>
  )
}

function Channels({ saved }: { saved: SlackChannel[] }) {
  const policiesQuery = usePolicies()
  const groupsQuery = useGroups()
  return (
    <Loaded query={policiesQuery} subject="The policies">
      {(policies) => (
        <Loaded query={groupsQuery} subject="The groups">
          {(groups) => <ChannelForm saved={saved} policies={policies} groups={groups} />}
        </Loaded>
      )}
    </Loaded>
  )
}
