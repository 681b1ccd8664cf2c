"""Webhooks as the library makes and changes them."""

import pytest
from huggingface_hub.utils import HfHubHTTPError

SECRET = "open sesame, said Ali"


def test_the_life_of_a_webhook(api, alice, repo_id):
    watched = [{"type": "user", "name": alice.username}, {"type": "model", "name": repo_id}]
    made = api.create_webhook(url="https://8.8.8.8/hook", watched=watched, domains=["repo"], secret=SECRET)
    assert (made.url, made.domains, made.disabled) == ("https://8.8.8.8/hook", ["repo"], False)
    assert [(item.type, item.name) for item in made.watched] == [("user", alice.username), ("model", repo_id)]
    assert made.secret == SECRET
    found = api.get_webhook(made.id)
    assert (found.id, found.url, found.secret) == (made.id, made.url, None)
    assert made.id in [webhook.id for webhook in api.list_webhooks()]
    changed = api.update_webhook(made.id, url="https://8.8.8.8/other", domains=["repo", "discussions"])
    assert (changed.url, changed.domains) == ("https://8.8.8.8/other", ["repo", "discussions"])
    assert [item.name for item in changed.watched] == [alice.username, repo_id]
    assert api.disable_webhook(made.id).disabled
    assert not api.enable_webhook(made.id).disabled
    api.delete_webhook(made.id)
    with pytest.raises(HfHubHTTPError) as gone:
        api.get_webhook(made.id)
    assert gone.value.response.status_code == 404


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "http://localhost:8080/", "http://169.254.169.254/latest", "ftp://8.8.8.8/"]
)
def test_an_address_inside_is_refused(api, alice, url):
    with pytest.raises(HfHubHTTPError) as refused:
        api.create_webhook(url=url, watched=[{"type": "user", "name": alice.username}], domains=["repo"])
    assert refused.value.response.status_code == 422
