import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { ChooseNotifications, QuietHours, Want } from '../../../../contract/notification.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { NotificationsPage } from './notifications-page.tsx'

// Only what a member chooses is tested here.
const none = vi.hoisted(() => () => null)
vi.mock('./browser-notifications.tsx', () => ({ BrowserNotifications: none }))
vi.mock('./chat-notifications.tsx', () => ({ ChatNotifications: none }))
vi.mock('./push-browsers.tsx', () => ({ PushBrowsers: none }))
vi.mock('./slack-link.tsx', () => ({ SlackLink: none }))

function createApi(canMail = true) {
  let chosen: ChooseNotifications = { mail: ['assigned'], push: [], slack: [] }
  const stored = () => ({
    mail: { available: canMail, wants: chosen.mail },
    push: { publicKey: '', browsers: [], wants: chosen.push },
    slack: { available: false, wants: chosen.slack },
    quietHours: chosen.quietHours,
  })
  return {
    mailWants: (): Want[] => chosen.mail,
    quietHours: (): QuietHours | undefined => chosen.quietHours,
    notifications: vi.fn(async () => stored()),
    chooseNotifications: vi.fn(async (choices: ChooseNotifications) => {
      chosen = choices
      return stored()
    }),
  }
}

async function show(api = createApi()) {
  const me = { person: { email: 'mara@example.com', emailVerified: true } }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <NotificationsPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByText('What is sent to you')
  return api
}

const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const description = () => document.querySelector('.description')!.textContent

afterEach(() => {
  vi.restoreAllMocks()
})

test('media are chosen by keyboard or click, the sentence says what will happen, and the choices are kept', async () => {
  const api = await show()
  expect(description()).toBe('New tasks: nothing. Tasks assigned to you: email immediately.')
  box('Email Urgent').focus()
  await userEvent.keyboard(' ')
  await userEvent.tab()
  await userEvent.keyboard(' ')
  expect(description()).toContain('Urgent and high tasks: email immediately.')
  await waitFor(() => expect(api.mailWants()).toEqual(['urgent', 'high', 'assigned']))

  for (const column of ['High', 'Normal', 'Assigned to me']) fireEvent.click(box(`Email ${column}`))
  expect(description()).toBe(
    'Urgent tasks: email immediately. High and low tasks: nothing. Normal tasks: one email per hour.',
  )
  await waitFor(() => expect(api.mailWants()).toEqual(['urgent', 'normal']))
  cleanup()
  await show(api)
  expect(box('Email Normal').checked).toBe(true)
  expect(box('Email Assigned to me').checked).toBe(false)
})

test('several changes in a row are all kept', async () => {
  const api = createApi()
  const save = api.chooseNotifications.getMockImplementation()!
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  api.chooseNotifications.mockImplementationOnce(async (choices) => {
    await isReleased
    return await save(choices)
  })
  await show(api)
  for (const column of ['Urgent', 'High', 'Assigned to me']) fireEvent.click(box(`Email ${column}`))
  await waitFor(() => expect(api.chooseNotifications).toHaveBeenCalledOnce())
  expect(box('Email High').checked).toBe(true)
  release()
  await waitFor(() => expect(api.mailWants()).toEqual(['urgent', 'high']))
  expect(box('Email Assigned to me').checked).toBe(false)
})

test('what was not saved is shown as before', async () => {
  const api = await show()
  api.chooseNotifications.mockRejectedValueOnce(new Error('The service could not be reached.'))
  fireEvent.click(box('Email Urgent'))
  expect((await screen.findByRole('alert')).textContent).toContain("The setting wasn't saved.")
  await waitFor(() => expect(box('Email Urgent').checked).toBe(false))
  expect(api.mailWants()).toEqual(['assigned'])
})

test('media that do not reach the person are off and say why', async () => {
  await show(createApi(false))
  for (const [medium, reason] of [
    ['Email', "This service can't send email. Ask its operator to set SMTP_URL."],
    ['Push', 'Turn it on in a browser below first.'],
    ['Slack', "Your workspace isn't connected to Slack."],
  ] as const) {
    expect(screen.getByText(medium).closest('th')?.textContent).toContain(reason)
    expect(box(`${medium} Urgent`).disabled).toBe(true)
  }
  cleanup()
  await show()
  expect(box('Email Urgent').disabled).toBe(false)
})

test('quiet hours begin with the time zone of the browser, and each change is saved', async () => {
  const resolved = Intl.DateTimeFormat().resolvedOptions()
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...resolved,
    timeZone: 'Asia/Tokyo',
  })
  // All names take seconds to find in.
  vi.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['America/New_York', 'Europe/Berlin'])
  const api = await show()
  const quietHours = screen.getByRole('switch', { name: 'Send nothing at certain hours' })
  fireEvent.click(quietHours)
  await waitFor(() =>
    expect(api.quietHours()).toEqual({
      from: '22:00',
      to: '07:00',
      timeZone: 'Asia/Tokyo',
      exceptUrgent: true,
    }),
  )
  const from = screen.getByLabelText('From')
  fireEvent.change(from, { target: { value: '07:00' } })
  screen.getByText('Must differ from the other time.')
  fireEvent.change(from, { target: { value: '21:30' } })
  fireEvent.change(screen.getByLabelText('Time zone'), { target: { value: 'America/New_York' } })
  fireEvent.click(screen.getByLabelText('Send urgent tasks anyway'))
  expect(description()).toContain(
    'From 21:30 to 07:00 (America/New York), nothing is sent; what is still open follows at 07:00.',
  )
  await waitFor(() =>
    expect(api.quietHours()).toEqual({
      from: '21:30',
      to: '07:00',
      timeZone: 'America/New_York',
      exceptUrgent: false,
    }),
  )
  fireEvent.click(quietHours)
  await waitFor(() => expect(api.quietHours()).toBeUndefined())
})
