import { expect, fresh, test } from './fixtures.ts'
import { lookAt } from './look.ts'

test('an organisation is followed by keyboard, listed on both sides, and unfollowed', async ({
  page,
  person,
}) => {
  const ns = fresh('followed')
  await person.native('POST', '/orgs', { ns, display_name: 'Followed' })
  await page.goto(`/${ns}`)
  const follow = page.getByRole('button', { name: 'Follow', exact: true })
  await follow.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Unfollow' })).toBeFocused()
  const followers = page.getByRole('button', { name: '1 follower', exact: true })
  await followers.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Who follows ${ns}` })
  await dialog.getByRole('link', { name: person.username }).press('Enter')
  await expect(page).toHaveURL(`/${person.username}`)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: /^(Unf|F)ollow$/ })).toHaveCount(0)

  await page.getByRole('button', { name: '1 following' }).click()
  const followed = page.getByRole('dialog', { name: `Whom ${person.username} follows` })
  await expect(followed.getByRole('link', { name: ns })).toBeVisible()
  await page.keyboard.press('Escape')
  await lookAt(page, { person: `/${person.username}`, org: `/${ns}` }, () =>
    expect(page.getByRole('button', { name: /followers?$/ })).toBeVisible(),
  )

  await page.goto(`/${ns}`)
  await page.getByRole('button', { name: 'Unfollow' }).click()
  await expect(follow).toBeVisible()
  await page.getByRole('button', { name: '0 followers' }).click()
  await expect(page.getByText('No followers yet')).toBeVisible()
})
