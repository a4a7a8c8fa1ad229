import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { Notifications, PushBrowser } from '../../../../contract/notification.ts'
import { describeDevice } from '../../../lib/device.ts'
import { setPreference } from '../../../lib/preferences.ts'
import { asProblem } from '../../../lib/problem.ts'
import { findEndpointDigest, pushSupport, subscribeBrowser } from '../../../lib/push-subscription.ts'
import { formatAgo, formatFullDate } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import recordsStyles from '../../../ui/records.module.css'
import { ProblemStrip, Strip } from '../../../ui/strip.tsx'
import { findObstacle, notGranted } from './notification-obstacle.ts'

/** Turns push messages on and off in this browser, and lists the person's other browsers that get them. */
export function PushBrowsers({ push }: { push: Notifications['push'] }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const headingId = useId()
  const digest = useQuery({
    queryKey: ['push-endpoint-digest', push.publicKey],
    queryFn: () => findEndpointDigest(push.publicKey),
    staleTime: 0,
  })
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['notifications', workspaceId] }),
      queryClient.invalidateQueries({ queryKey: ['push-endpoint-digest'] }),
    ])
  const turnOn = useMutation({
    mutationFn: async () => {
      const permission = await Notification.requestPermission()
      if (permission !== 'granted') return permission
      await api.addPushBrowser(await subscribeBrowser(push.publicKey))
      // An open tab would show the same notification a second time.
      setPreference('browserNotifications', 'off')
      return permission
    },
    onSettled: refresh,
  })
  const remove = useMutation({ mutationFn: api.removePushBrowser, onSettled: refresh })
  // The text below names how many browsers there were when the test was sent.
  const test = useMutation({ mutationFn: (_browserCount: number) => api.sendTestPush() })
  const isThis = (browser: PushBrowser) => browser.endpointDigest === digest.data
  const thisBrowser = push.browsers.find(isThis)
  const others = push.browsers.filter((browser) => !isThis(browser))

  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>Push messages</h2>
      <p>
        A push message reaches you when Handrail is closed, also on your phone. It only says that tasks are
        waiting or that a note mentions you, and in which workspace. Tap or click it to open Handrail there.
      </p>
      {/* Until the digest is known, this browser would be listed among the others. */}
      {!digest.isPending && (
        <ThisBrowser
          isOn={thisBrowser !== undefined}
          isPending={turnOn.isPending || remove.isPending}
          onTurnOn={() => turnOn.mutate()}
          onTurnOff={() => thisBrowser && remove.mutate(thisBrowser.subscriptionId)}
        />
      )}
      {!digest.isPending && others.length > 0 && (
        <OtherBrowsers
          browsers={others}
          isPending={remove.isPending}
          onRemove={(subscriptionId) => remove.mutate(subscriptionId)}
        />
      )}
      {push.browsers.length > 0 && (
        <button
          type="button"
          className="btn above-12"
          aria-disabled={test.isPending}
          onClick={() => !test.isPending && test.mutate(push.browsers.length)}
        >
          Send test push
        </button>
      )}
      <div className="above-12">
        {test.isSuccess && (
          <Strip tone="success">
            {test.variables === 1
              ? 'The test is on its way to your browser.'
              : `The test is on its way to your ${test.variables} browsers.`}
          </Strip>
        )}
        {turnOn.data === 'default' && (
          <Strip tone="warn" isAnnounced>
            {notGranted}
          </Strip>
        )}
        {turnOn.error && (
          <ProblemStrip message="Push messages weren't turned on." problem={asProblem(turnOn.error)} />
        )}
        {remove.error && (
          <ProblemStrip
            message={
              remove.variables === thisBrowser?.subscriptionId
                ? "Push messages weren't turned off."
                : "The browser wasn't removed."
            }
            problem={asProblem(remove.error)}
          />
        )}
        {test.error && <ProblemStrip message="The test wasn't sent." problem={asProblem(test.error)} />}
      </div>
    </section>
  )
}

type ThisBrowserProps = { isOn: boolean; isPending: boolean; onTurnOn: () => void; onTurnOff: () => void }

function ThisBrowser({ isOn, isPending, onTurnOn, onTurnOff }: ThisBrowserProps) {
  const obstacle = isOn ? undefined : pushObstacle()
  if (obstacle)
    return (
      <div className="above-12">
        <Strip tone="warn">{obstacle}</Strip>
      </div>
    )
  return (
    <div className="above-12 head-line">
      <p>
        <strong>This browser:</strong> {isOn ? 'on' : 'off'}
      </p>
      <button
        type="button"
        className={isOn ? 'btn' : 'btn primary'}
        aria-disabled={isPending}
        onClick={() => !isPending && (isOn ? onTurnOff() : onTurnOn())}
      >
        {isOn ? 'Turn off' : 'Turn on in this browser'}
      </button>
    </div>
  )
}

/** Why push messages can't be turned on in this browser, or undefined. */
function pushObstacle(): string | undefined {
  const support = pushSupport()
  if (support === 'home-screen-only')
    return 'Add Handrail to your Home Screen first: in Safari, tap Share, then "Add to Home Screen". Open it from there and turn push messages on.'
  return findObstacle('Push messages', support === 'supported')
}

type OtherBrowsersProps = {
  browsers: PushBrowser[]
  isPending: boolean
  onRemove: (subscriptionId: string) => void
}

function OtherBrowsers({ browsers, isPending, onRemove }: OtherBrowsersProps) {
  const now = useNow()
  return (
    <ul className={recordsStyles.records} aria-label="Your other browsers">
      {browsers.map(({ subscriptionId, userAgent, createdAt }) => {
        const device = describeDevice(userAgent)
        return (
          <li key={subscriptionId}>
            <div className={recordsStyles.who}>
              <strong>{device}</strong>
              <span>
                Turned on{' '}
                <time dateTime={createdAt} title={formatFullDate(createdAt)}>
                  {formatAgo(createdAt, now)}
                </time>
              </span>
            </div>
            <span className={recordsStyles.rowAct}>
              <button
                type="button"
                className="btn quiet"
                aria-label={`Remove ${device}`}
                aria-disabled={isPending}
                onClick={() => !isPending && onRemove(subscriptionId)}
              >
                Remove
              </button>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
