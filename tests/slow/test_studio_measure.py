"""Tournaments, records and tuning in the studio's page, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.shared.browser import LONG, barriers, needs_browser, picture, unfold
from tests.shared.places import RULESETS
from tests.shared.studio import Open

pytestmark = needs_browser


def open_record(page: Page, record: Path) -> None:
    field = page.locator("input[type=file][accept='.jsonl,.db']")
    field.set_input_files([])
    field.set_input_files(record)


def test_enough_games_answer_the_question_in_words(open_page: Open) -> None:
    page = open_page("tictactoe")
    page.locator("#tab-measure").click()
    page.get_by_label("the first player").select_option("search")
    page.get_by_label("the second player").select_option("random")
    unfold(page, "20 games")
    page.locator("label:has-text('games') input:visible").fill("40")
    page.locator("button", has_text="Play the match").click()
    answer = page.locator(".answer")
    expect(answer).to_contain_text("Yes: search makes", timeout=LONG)
    expect(answer).to_contain_text("are likely")
    assert barriers(page) == []


def test_a_tournament_is_a_table_and_its_record_is_opened_and_filtered(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page("connect4")
    page.locator("#tab-measure").click()
    unfold(page, "Who is the best", "on record")
    form = page.locator(".tournament")
    players = form.locator("fieldset label")
    expect(players.filter(has_text="counter").locator("input")).to_be_checked(timeout=LONG)
    for label in players.all():
        wanted = label.inner_text().strip() in ("counter", "eager", "random")
        label.locator("input").set_checked(wanted)
    form.locator("label:has-text('games of each') input").fill("2")
    form.locator("label:has-text('nodes') input").fill("50")
    form.get_by_role("button", name="play the tournament").click()
    expect(form.locator(".summary")).to_contain_text("all 6 games are played", timeout=LONG)
    rows = form.locator("table.cross tbody tr")
    expect(rows).to_have_count(3)
    assert sum(float(row.locator("td").nth(2).inner_text()) for row in rows.all()) == 6.0
    rows.first.scroll_into_view_if_needed()
    picture(page, "studio-tournament")
    with page.expect_download() as download:
        form.get_by_role("button", name="save the games as a record").click()
    record = tmp_path / "kept.jsonl"
    download.value.save_as(record)
    games = [json.loads(line) for line in record.read_text("utf-8").splitlines()[1:]]
    open_record(page, record)
    found = page.locator(".records tbody tr")
    expect(found).to_have_count(6, timeout=LONG)
    page.locator("label:has-text('won by') select").select_option("random")
    won = [g for g in games if g["winner"] is not None and g["players"][g["winner"]] == "random"]
    expect(found).to_have_count(len(won))
    page.locator("label:has-text('turns') input").first.fill("2000")
    expect(found).to_have_count(0)
    open_record(page, record)
    expect(found).to_have_count(6, timeout=LONG)  # another record is shown whole
    first = " ".join(one["move"] for one in games[0]["decisions"][:3])
    page.locator("label:has-text('first moves') input").fill(first)
    alike = [g for g in games if [one["move"] for one in g["decisions"]][:3] == first.split()]
    expect(found).to_have_count(len(alike))
    picture(page, "studio-records")
    assert barriers(page) == []
    number = int(found.first.locator("button").inner_text())
    found.first.locator("button").click()
    expect(page.locator(".verdict")).to_contain_text("last: ", timeout=LONG)
    expect(page.locator(".site.open")).to_have_count(0)
    page.locator("#tab-play").click()
    played = page.locator(".moves .line .move").all_inner_texts()
    (game,) = (one for one in alike if one["number"] == number)
    assert played == [one["move"] for one in game["decisions"]]


def test_one_thing_is_done_at_a_time_and_a_test_is_watched(open_page: Open) -> None:
    page = open_page("connect4")
    page.locator("#tab-measure").click()
    page.get_by_label("the first player").select_option("counter", timeout=LONG)
    page.get_by_label("the second player").select_option("random")
    unfold(page, "20 games")
    page.locator("label:has-text('games') input:visible").fill("12")
    unfold(page, "Who is the best", "other factors")
    page.get_by_label("nodes for each decision").fill("50")
    page.get_by_label("stop when it is sure").check()
    begin = page.get_by_role("button", name="play the match")
    begin.click()
    for other in ("play the tournament", "begin the trials"):
        expect(page.get_by_role("button", name=other)).to_be_disabled()
    expect(begin).to_be_enabled(timeout=LONG)
    course = page.locator("figure svg.chart circle")
    expect(course.last).to_be_attached()
    assert 2 <= course.count() <= 6
    picture(page, "studio-measure")
    page.set_viewport_size({"width": 390, "height": 700})  # on a phone the board comes to the game
    page.locator(".games button").first.click()
    expect(page.locator("svg.board")).to_be_in_viewport(timeout=LONG)
    page.reload()
    page.locator("#tab-measure").click()
    expect(page.locator("svg.chart").first).to_have_attribute(
        "aria-label", "share of the points of counter, game by game", timeout=LONG
    )
    page.locator("header select").select_option(
        "tictactoe"
    )  # which has no personality of that name
    board = page.locator("svg.board[aria-label='the board of tictactoe']")
    expect(board).to_be_visible(timeout=LONG)
    expect(page.get_by_label("the first player")).not_to_have_value("counter")
    expect(page.locator("[role=status].message")).to_have_text("")


def test_a_tuning_is_watched_as_a_plot_and_its_best_saved(open_page: Open, tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    for name in ("connect4.rules", "connect4.eval", "counter.personality"):
        (tmp_path / name).write_text((RULESETS / "connect4" / name).read_text("utf-8"))
    page = open_page(str(tmp_path / "connect4.rules"))
    page.locator("#tab-measure").click()
    unfold(page, "Who is the best", "other factors")
    form = page.locator(".tuning")
    form.locator("label:has-text('tune') select").select_option("counter", timeout=LONG)
    for label, value in (("trials", "3"), ("games each", "2"), ("nodes", "30")):
        form.locator(f"label:has-text('{label}') input").fill(value)
    form.get_by_role("button", name="begin the trials").click()
    expect(form.locator("svg.scatter circle")).to_have_count(3, timeout=LONG)
    save = form.get_by_role("button", name="save the best")
    expect(save).to_be_visible(timeout=LONG)
    save.scroll_into_view_if_needed()
    picture(page, "studio-tuning")
    save.click()
    expect(page.locator("[role=status].message")).to_contain_text("saved as", timeout=LONG)
    expect(page.locator(".tournament fieldset")).to_contain_text("counter_tuned", timeout=LONG)
    assert "personality counter_tuned" in (tmp_path / "counter_tuned.personality").read_text()
