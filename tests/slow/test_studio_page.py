"""The studio's page in a real browser: played, asked and edited as a person would."""

from __future__ import annotations

import json
import re
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

import rulewright
from tests.shared.browser import LONG, barriers, more, needs_browser, picture, play, played, unfold
from tests.shared.places import RULESETS
from tests.shared.studio import Open, Studio

pytestmark = needs_browser


def test_a_game_is_played_by_clicks_and_walked_by_keys(open_page: Open) -> None:
    page = open_page("tictactoe")
    for site in ("b2", "a1", "a3", "c1", "b1", "b3", "a2"):
        play(page, site)
        played(page, site)
    page.locator("button[aria-label='one back']").click()
    expect(page.locator(".move.now")).to_have_text("b3")
    page.keyboard.press("Home")
    expect(page.locator(".site.open")).to_have_count(9)
    play(page, "c3")  # a branch
    played(page, "c3")
    expect(page.locator(".move.branch")).to_have_text("or b2")


def test_chess_by_clicks_with_a_promotion_to_choose(open_page: Open) -> None:
    page = open_page("chess")
    for text in ("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "h7h6"):
        play(page, text[:2], text[2:])
        played(page, text)
    play(page, "b7", "a8")
    buttons = page.locator(".choices button")
    assert buttons.all_text_contents()[:-1] == ["Queen", "Rook", "Bishop", "Knight"]
    assert buttons.locator("svg").count() == 4
    page.get_by_role("button", name="Knight", exact=True).click()
    played(page, "b7a8=knight")


def test_a_personality_answers_and_two_play_by_themselves(open_page: Open) -> None:
    page = open_page("connect4")
    page.locator("[data-chair='1'] select").select_option("random")
    more(page).locator("label:has-text('Move') input").fill("4")
    page.locator(".typed button").click()
    expect(page.locator(".moves .move")).to_have_count(2, timeout=LONG)
    page.keyboard.press("Escape")  # what is below the menu can be clicked again
    page.locator("[data-chair='0'] select").select_option("random")
    page.locator("button", has_text="Let them play").click()
    # one random game in four hundred fills the board
    expect(page.locator(".verdict")).to_contain_text(re.compile("win|draw"), timeout=LONG)


def test_walking_back_to_where_a_computer_decided_moves_nobody(open_page: Open) -> None:
    page = open_page("tictactoe")
    page.locator("[data-chair='1'] select").select_option("random")
    play(page, "b2")
    expect(page.locator(".moves .move")).to_have_count(2, timeout=LONG)
    page.locator("button[aria-label='one back']").click()
    looking = page.locator(".looking")
    expect(looking).to_contain_text("Move 1 of 2.")
    page.wait_for_timeout(500)  # time in which a computer would have moved
    expect(page.locator(".moves .move")).to_have_count(2)
    expect(looking).to_be_visible()
    looking.locator("button", has_text="Back to the game").click()
    expect(looking).to_have_count(0)
    page.locator("button[aria-label='one back']").click()
    looking.locator("button", has_text="Play on from here").click()
    expect(looking).to_have_count(0)
    expect(page.locator(".moves .move.now")).to_have_count(1, timeout=LONG)
    expect(page.locator(".message")).not_to_have_class("bad")


def test_twixt_looks_as_its_svg_does(open_page: Open) -> None:
    page = open_page("twixt")
    for site in ("l12", "m14", "n13", "k15"):
        play(page, site)
        played(page, site)
    picture(page, "studio-play")
    state = rulewright.load("twixt").start().play("l12 m14 n13 k15")
    titles = page.locator("svg.board .site title").all_text_contents()
    svg = state.svg()
    assert titles == [part.partition("</title>")[0] for part in svg.split("<title>")[1:]]
    assert page.locator("svg.board g.link").count() == svg.count('class="link"') == 2


def test_nothing_serious_keeps_anybody_out(open_page: Open) -> None:
    page = open_page("tictactoe")
    for game in ("chess", "twixt", "dots"):
        page.locator("header select").select_option(game)
        page.locator(f"svg.board[aria-label='the board of {game}']").wait_for()
        for tab in ("play", "understand", "author") if game != "dots" else ("author", "measure"):
            page.locator(f"#tab-{tab}").click()
            assert barriers(page) == [], (game, tab)


def test_a_search_and_an_explanation_are_drawn(open_page: Open) -> None:
    page = open_page("connect4")
    for text in ("4", "3", "5"):
        more(page).locator("label:has-text('Move') input").fill(text)
        page.locator(".typed button").click()
        played(page, text)
    page.locator("#tab-understand").click()
    page.locator(".row input[type=number]:visible").fill("0.5")
    page.locator("button", has_text="Best moves").click()
    expect(page.locator("svg.board .letter").first).to_be_visible(timeout=LONG)
    expect(page.locator(".told-verdict h2")).to_contain_text(
        re.compile("ahead|better|winning|wins")
    )
    expect(page.locator(".candidates li.now .letter")).to_have_text("A")
    page.locator("button.expected").hover()
    expect(page.locator("svg.board .arrow").first).to_be_visible(timeout=LONG)
    page.locator("button", has_text="Explain").click()
    page.mouse.move(0, 0)  # a term under the pointer would light its sites instead
    expect(page.locator("svg.board .heat").first).to_be_visible(timeout=LONG)
    picture(page, "studio-understand")
    before = page.locator(".explained").text_content()
    slider = page.locator("input[type=range]").first
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".explained")).not_to_have_text(str(before), timeout=LONG)


def test_patterns_are_drawn_with_where_they_look_from(open_page: Open) -> None:
    page = open_page("twixt")
    for site in ("l12", "m14", "n16"):
        play(page, site)
        played(page, site)
    page.locator("#tab-understand").click()
    page.locator("button:visible", has_text="Match").click()
    expect(page.locator("svg.board .heat").first).to_be_visible(timeout=LONG)
    fired = page.locator(".uses li").count()
    assert page.locator("svg.board .heat").count() == fired
    page.locator(".uses button").first.hover()
    expect(page.locator("svg.board .arrow")).to_have_count(1, timeout=LONG)
    picture(page, "studio-patterns")
    page.locator("input[type=checkbox]:visible").last.check()
    expect(page.locator(".uses")).to_contain_text("fails at", timeout=LONG)


def test_a_text_is_broken_and_mended_and_the_board_follows(open_page: Open, tmp_path: Path) -> None:
    source = RULESETS / "tictactoe" / "tictactoe.rules"
    (tmp_path / "mine.rules").write_text(source.read_text("utf-8"))
    page = open_page(str(tmp_path / "mine.rules"))
    page.locator("#tab-author").click()
    page.locator("button.file", has_text="mine.rules").click()
    expect(page.locator(".editor .cm-content")).to_contain_text("game tictactoe", timeout=LONG)
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nnonsense\n")
    expect(page.locator(".problems li.error").first).to_be_visible(timeout=LONG)
    for _ in range(10):
        page.keyboard.press("Backspace")
    page.keyboard.type("\n# mended\n")
    expect(page.locator(".problems li")).to_have_count(0, timeout=LONG)
    page.keyboard.press("Control+s")
    expect(page.locator("[role=status].message")).to_contain_text("is saved", timeout=LONG)
    assert (tmp_path / "mine.rules").read_text("utf-8").endswith("# mended\n")


def test_the_editor_completes_explains_and_mends(open_page: Open, tmp_path: Path) -> None:
    source = RULESETS / "tictactoe" / "tictactoe.rules"
    text = source.read_text("utf-8")
    (tmp_path / "mine.rules").write_text(text.replace("draw when stuck", "draw when stuk"))
    page = open_page(str(tmp_path / "mine.rules"))
    page.locator("#tab-author").click()
    mistake = page.locator(".editor .cm-lintRange-error")
    mistake.hover()
    expect(page.locator(".editor .cm-tooltip")).to_contain_text("stuck", timeout=LONG)
    page.locator(".editor .cm-diagnosticAction").first.click()
    expect(page.locator(".problems li")).to_have_count(0, timeout=LONG)
    meaning = page.locator(".editor .meaning")
    for _ in range(20):  # the editor forgets where the pointer is while it draws anew
        page.mouse.move(0, 0)
        page.locator(".editor .cm-line .t-keyword", has_text="choose").first.hover()
        with suppress(AssertionError):
            expect(meaning).to_be_visible(timeout=LONG / 20)
            break
    expect(meaning).to_contain_text("choose")
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nclaim nobody wi")
    page.keyboard.press("Control+Space")
    expect(page.locator(".editor .cm-completionLabel").first).to_have_text("wins", timeout=LONG)
    picture(page, "studio-editor")


def test_markup_in_a_file_is_text(open_page: Open, tmp_path: Path) -> None:
    evil = '# <img src=x onerror="document.title=1">\n'
    source = RULESETS / "tictactoe" / "tictactoe.rules"
    text = source.read_text("utf-8").replace("format 1\n", f"format 1\n{evil}", 1)
    (tmp_path / "evil.rules").write_text(text + 'label "<script>alert(1)</script>"\n')
    page = open_page(str(tmp_path / "evil.rules"))
    page.locator("#tab-author").click()
    page.locator("button.file", has_text="evil.rules").click()
    expect(page.locator(".problems li").first).to_be_visible(timeout=LONG)
    assert page.title() == "rulewright studio"
    assert page.locator("main img, main script").count() == 0


def test_the_board_is_played_by_keys_alone(open_page: Open) -> None:
    page = open_page("tictactoe")
    page.locator(".site[aria-label^='a1']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    played(page, "b2")


def test_the_server_dies_and_comes_back(browser: Browser, tmp_path: Path) -> None:
    studio = Studio(tmp_path, "tictactoe")
    page = browser.new_page()
    page.set_default_timeout(LONG)
    page.goto(studio.address)
    play(page, "b2")
    played(page, "b2")
    studio.process.kill()
    studio.ended()
    expect(page.locator("[role=status]")).to_contain_text("does not answer", timeout=LONG)
    kept = list((tmp_path / "data" / "games").glob("*.json"))
    assert json.loads(kept[0].read_text("utf-8"))["moves"] == "b2"
    studio.start()
    expect(page.locator("header .line")).to_have_count(0, timeout=LONG)
    played(page, "b2")  # the new process was given the game
    play(page, "a1")
    played(page, "a1")
    page.close()
    assert studio.stop() in (0, 130)


def test_a_click_before_the_desk_has_the_game_waits_for_it(
    browser: Browser, tmp_path: Path
) -> None:
    lines: list[WebSocketRoute] = []
    held: list[str | bytes] = []

    def between(line: WebSocketRoute) -> None:
        lines.append(line)
        server = line.connect_to_server()
        slow = len(lines) > 1  # the answers of the second process are held back
        server.on_message(lambda said: held.append(said) if slow else line.send(said))

    studio = Studio(tmp_path, "tictactoe")
    page = browser.new_page()
    page.set_default_timeout(LONG)
    page.route_web_socket("**/talk?*", between)
    page.goto(studio.address)
    play(page, "b2")
    played(page, "b2")
    studio.process.kill()
    studio.ended()
    expect(page.locator("header .line")).to_be_visible()
    studio.start()
    expect(page.locator("header .line")).to_have_count(0)
    play(page, "a1")
    page.wait_for_timeout(300)
    while held:
        lines[-1].send(held.pop(0))
        page.wait_for_timeout(300)
    played(page, "a1")
    page.close()
    assert studio.stop() in (0, 130)


def test_a_match_is_watched_and_a_game_of_it_judged(open_page: Open) -> None:
    page = open_page("connect4")
    page.locator("#tab-measure").click()
    page.get_by_label("the second player").select_option("random")
    unfold(page, "20 games")
    page.locator("label:has-text('games') input:visible").fill("4")
    expect(page.locator(".fold.quiet summary")).to_contain_text("4 games, 1000 nodes")
    page.locator("button", has_text="play the match").click()
    expect(page.locator(".summary")).to_contain_text("all 4 games are played", timeout=LONG)
    expect(page.locator(".answer")).to_contain_text("Too early to tell: 4 of the 30 games")
    expect(page.locator("svg.chart circle")).to_have_count(4)
    page.locator("td button.move").first.click()
    expect(page.locator(".verdict")).to_contain_text("win", timeout=LONG)
    page.locator("#tab-understand").click()
    course = page.locator("button", has_text="Show my mistakes")
    course.click()
    expect(page.locator("svg.chart:visible circle.now")).to_have_count(1, timeout=LONG)
    expect(course).to_be_enabled(timeout=LONG)
    told = page.locator(".mistakes li")
    expect(
        page.locator("svg.chart:visible circle:is(.inaccuracy, .mistake, .blunder)")
    ).to_have_count(told.count())
    assert barriers(page) == []
    page.locator("svg.chart:visible").click(position={"x": 1, "y": 10})
    expect(page.locator(".verdict")).to_contain_text("to move", timeout=LONG)


def test_whoever_has_no_time_left_has_lost(open_page: Open) -> None:
    page = open_page("tictactoe")
    more(page).locator("label:has-text('minutes') input").fill("0.1")
    more(page).locator("label:has-text('seconds a turn') input").fill("0")
    more(page).locator("label:has-text('clocks') input").check()
    expect(page.locator("[role=timer].running")).to_contain_text("0:0")
    play(page, "b2")
    played(page, "b2")
    expect(page.locator(".verdict")).to_contain_text("nought has no time left", timeout=LONG)
    expect(page.locator(".looking button", has_text="Play on from here")).to_be_visible()


def test_two_tabs_do_not_write_over_each_other(browser: Browser, tmp_path: Path) -> None:
    source = RULESETS / "tictactoe" / "tictactoe.rules"
    mine = tmp_path / "mine.rules"
    mine.write_text(source.read_text("utf-8"))
    studio = Studio(tmp_path, str(mine))
    pages = [browser.new_page() for _ in range(2)]
    for number, page in enumerate(pages):
        page.set_default_timeout(LONG)
        page.goto(studio.address)
        page.locator("#tab-author").click()
        content = page.locator(".editor .cm-content")
        expect(content).to_contain_text("game tictactoe", timeout=LONG)
        content.click()
        page.keyboard.press("Control+End")
        page.keyboard.type(f"\n# of tab {number}\n")
    for page, told in zip(pages, ("is saved", "was changed by another program"), strict=True):
        page.keyboard.press("Control+s")
        expect(page.locator("[role=status].message")).to_contain_text(told, timeout=LONG)
    assert mine.read_text("utf-8").endswith("# of tab 0\n")
    for page in pages:
        page.close()
    assert studio.stop() in (0, 130)


def test_hostile_files_are_reported_and_the_board_plays_on(open_page: Open, tmp_path: Path) -> None:
    source = RULESETS / "tictactoe" / "tictactoe.rules"
    text = source.read_text("utf-8")
    (tmp_path / "large.rules").write_text("# large\n" * 1_250_000)
    deep = "(" * 3000 + "own" + ")" * 3000
    (tmp_path / "deep.rules").write_text(text + f"claim always count({deep}) >= 0\n")
    (tmp_path / "mine.rules").write_text(text)
    page = open_page(str(tmp_path / "mine.rules"))
    page.locator("#tab-author").click()
    for name in ("large", "deep"):
        page.locator("button.file", has_text=f"{name}.rules").click()
        told = page.locator(".problems li.error, .message.bad").first
        expect(told).to_be_visible(timeout=LONG)
    brought = page.locator("input[type=file][multiple]").first
    brought.set_input_files(
        {"name": "new.rules", "mimeType": "", "buffer": b"# large\n" * 1_250_000}
    )
    expect(page.locator(".message.bad")).to_contain_text("too long", timeout=LONG)
    page.locator("button.file", has_text="mine.rules").click()
    expect(page.locator(".editor .cm-content")).to_contain_text("game tictactoe", timeout=LONG)
    play(page, "b2")
    played(page, "b2")


def test_others_come_in_by_a_password(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_PASSWORD", "open sesame")
    studio = Studio(tmp_path, "tictactoe", "--host", "127.0.0.2")
    page = browser.new_page()
    page.set_default_timeout(LONG)
    page.goto(studio.address)
    for password in ("let me in", "open sesame"):
        expect(page.locator("[role=status]")).to_contain_text("password", timeout=LONG)
        page.locator("input").fill(password)
        page.locator("button").click()
    play(page, "b2")
    played(page, "b2")
    page.close()
    assert studio.stop() in (0, 130)


def test_clicks_on_a_busy_studio_mean_what_stands_when_they_are_heard(
    browser: Browser, tmp_path: Path
) -> None:
    studio = Studio(tmp_path, "chess")
    page = browser.new_page()
    page.set_default_timeout(LONG)
    page.goto(studio.address)
    expect(page.locator("svg.board .site").first).to_be_visible(timeout=LONG)
    studio.process.send_signal(signal.SIGSTOP)
    play(page, "e2", "e4", "e7", "e5", "g1", "f3")
    studio.process.send_signal(signal.SIGCONT)
    played(page, "g1f3")
    assert page.locator(".moves .move").all_text_contents() == ["e4", "e5", "Nf3"]
    page.close()
    assert studio.stop() in (0, 130)


def test_an_answer_of_another_shape_is_reported(browser: Browser, bundled: Studio) -> None:
    def between(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        server.on_message(
            lambda said: line.send(
                str(said).replace('"cells"', '"cubes"')
                if '"last_turn": "b2"' in str(said)
                else said
            )
        )

    page = browser.new_page()
    page.set_default_timeout(LONG)
    page.route_web_socket("**/talk?*", between)
    page.goto(bundled.address)
    expect(page.locator("svg.board .site").first).to_be_visible(timeout=LONG)
    more(page).locator("label:has-text('Move') input").fill("b2")
    page.locator(".typed button").click()
    expect(page.locator(".message")).to_contain_text("scene.style is none of cells, holes")
    assert page.locator(".moves .move").count() == 0
    page.close()


def test_an_explanation_is_stopped(open_page: Open) -> None:
    page = open_page("twixt")
    page.locator("#tab-understand").click()
    page.locator("label:has-text('personality') select").first.select_option("racer")
    explain = page.locator("button", has_text=re.compile("^Explain$"))
    explain.click()
    stop = page.locator("p:has(button:text-is('Thinking')) button", has_text="Stop")
    stop.click(timeout=LONG)
    expect(explain).to_be_enabled(timeout=LONG)
    expect(page.locator(".message")).to_contain_text("stopped")
