"""Learn Drop or Pop! by self-play in minutes, with NumPy alone; see docs/training.md.

    python examples/train_drop_or_pop.py --minutes 5 --out policy.npz --plot curve.png
    python examples/train_drop_or_pop.py --evaluate policy.npz --matches 400

A small network looks at what a seat sees after its move (`view.tensor()`) and says how likely each
seat is to win from there. All seats play by it, thousands of matches at once; it learns by
TD(lambda). In the end one seat per match keeps learning among random ones, which is how it is
evaluated. To play is to try every legal move and take the best.
"""

import argparse
import sys
import time

import numpy as np
from afterstates import afterstates, chosen, dealt_after

import droptable
from droptable.core.tensor import size_of
from droptable.games.drop_or_pop.rules import COLUMNS, IGNORE
from droptable.lab.statistics import wilson

GAME = droptable.game("drop-or-pop")
PLAYERS = 3
CHOICES = 3  # most legal moves at once: drop, pop, ignore
SIZE = size_of(GAME.planes(PLAYERS))
HIDDEN = 128
MATCHES = 2048  # played side by side
STEPS = 24  # moves per match and lesson
MINIBATCH = 2048  # positions per gradient step
LEARNING_RATE = 2e-3  # at the start; it decays linearly
LAMBDA = 0.8  # 0 learns from the next position's estimate alone, 1 from the result of the match
EPSILON = 0.05  # share of random moves
SPARRING = 0.4  # the last share of the training: one seat per match learns, others are random
PROGRESS = 1200  # matches for each point of the learning curve
LOOK = 0.04  # share of the training between two points, less at the beginning
# Shares of the victory by seat, for every set of winners.
SHARES = np.array(
    [[(b >> s & 1) / max(b.bit_count(), 1) for s in range(PLAYERS)] for b in range(1 << PLAYERS)],
    np.float32,
)


class Network:
    """Tensors in, one hidden layer, chances of the seats out: the viewer's own first."""

    def __init__(self, weights):
        self.weights = weights
        self._mean = [np.zeros_like(w) for w in weights]
        self._square = [np.zeros_like(w) for w in weights]
        self._lessons = 0

    @classmethod
    def untrained(cls, random, hidden=HIDDEN):
        first = random.normal(0, np.sqrt(2 / SIZE), (SIZE, hidden))
        last = random.normal(0, 0.1 / np.sqrt(hidden), (hidden, PLAYERS))
        shapes = (first, np.zeros(hidden), last, np.zeros(PLAYERS))
        return cls([w.astype(np.float32) for w in shapes])

    @classmethod
    def load(cls, file):
        with np.load(file) as saved:
            return cls([saved[name] for name in saved.files])

    def save(self, file):
        np.savez(file, *self.weights)

    def forward(self, x):
        """The hidden layer and the chances."""
        w1, b1, w2, b2 = self.weights
        hidden = np.maximum(x @ w1 + b1, 0)
        out = np.exp(hidden @ w2 + b2)
        return hidden, out / out.sum(axis=1, keepdims=True)

    def chances(self, x):
        return self.forward(x)[1]

    def slopes(self, x, targets):
        """The gradient of the cross-entropy to the targets, for each weight."""
        hidden, chances = self.forward(x)
        error = (chances - targets) / len(x)
        back = error @ self.weights[2].T * (hidden > 0)
        return x.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)

    def learn(self, x, targets, rate):
        """One step of Adam."""
        self._lessons += 1
        rate *= np.sqrt(1 - 0.999**self._lessons) / (1 - 0.9**self._lessons)
        kept = zip(self.weights, self._mean, self._square, self.slopes(x, targets), strict=True)
        for weight, mean, square, slope in kept:
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight -= rate * mean / (np.sqrt(square) + 1e-8)


def chances_of_moves(network, positions, second=False):
    """Every seat's chances after each legal move, the mover's first, and the afterstates' tensors.

    Chances are -1 where there is no move. To ignore a colour is worth what the best moves with the
    next one are, on average; on the second colour it is not allowed.
    """
    tensors, won = afterstates(GAME, PLAYERS, positions, CHOICES)
    legal = np.arange(CHOICES) < positions.counts[:, None]
    ignoring = legal & (positions.moves[:, :CHOICES] == IGNORE)
    guessed = legal & ~ignoring & (won == 0)
    chances = np.full((*legal.shape, PLAYERS), -1, np.float32)
    chances[guessed] = network.chances(tensors[guessed])
    row, choice = np.nonzero(won)
    chances[row, choice] = seen_by(SHARES[won[row, choice]], positions.seats[row])
    if not second:
        row, choice = np.nonzero(ignoring)
        later = dealt_after(GAME, chosen(positions, row), IGNORE, COLUMNS)
        values, _ = chances_of_moves(network, later, second=True)
        best = values[np.arange(len(values)), values[:, :, 0].argmax(axis=1)]
        chances[row, choice] = best.reshape(-1, COLUMNS, PLAYERS).mean(axis=1)
    return chances, tensors


def seen_by(shares, seats):
    """Numbers by seat, turned so that each row begins with its own seat."""
    return np.take_along_axis(shares, (seats[..., None] + np.arange(PLAYERS)) % PLAYERS, axis=-1)


def by_seat(shares, seats):
    """The other way round."""
    return np.take_along_axis(shares, (np.arange(PLAYERS) - seats[..., None]) % PLAYERS, axis=-1)


class School:
    """Matches that go on from lesson to lesson."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.network = Network.untrained(self.random)
        self.batch = GAME.batch(MATCHES, PLAYERS, seed)
        self.decisions = 0

    def lesson(self, rate, sparring):
        """Play on for some steps, then learn from them; when sparring, from one seat per match."""
        x = np.zeros((STEPS, MATCHES, SIZE), np.float32)
        chances = np.zeros((STEPS, MATCHES, PLAYERS), np.float32)  # by seat, as all below
        results = np.zeros((STEPS, MATCHES, PLAYERS), np.float32)
        seats = np.zeros((STEPS, MATCHES), np.int8)
        ended, decided, tried, ignored = (np.zeros((STEPS, MATCHES), bool) for _ in range(4))
        for t in range(STEPS):
            seats[t] = self.batch.seats
            decided[t] = (seats[t] == np.arange(MATCHES) % PLAYERS) | (not sparring)
            actions = self.batch.random_actions(self.random)
            tried[t] = decided[t] & (self.random.random(MATCHES) < EPSILON)
            rows = np.nonzero(decided[t])[0]
            values, tensors = chances_of_moves(self.network, chosen(self.batch, rows))
            best = self.batch.moves[rows, values[:, :, 0].argmax(axis=1)]
            actions[rows] = np.where(tried[t, rows], actions[rows], best)
            choice = (self.batch.moves[rows, :CHOICES] == actions[rows, None]).argmax(axis=1)
            x[t, rows] = tensors[np.arange(len(rows)), choice]
            chances[t, rows] = by_seat(values[np.arange(len(rows)), choice], seats[t, rows])
            ignored[t] = actions == IGNORE
            self.batch.step(actions)
            ended[t] = self.batch.done
            results[t] = SHARES[self.batch.won * self.batch.done]
        self.decisions += int(decided.sum())
        targets, known = looking_back(chances, results, ended, decided, tried)
        wanted = known & decided & ~ended & ~ignored  # ends and second colours are not guessed
        x, targets = x[wanted], seen_by(targets, seats)[wanted]
        order = self.random.permutation(len(x))
        for part in np.array_split(order, max(len(x) // MINIBATCH, 1)):
            self.network.learn(x[part], targets[part], rate)


def looking_back(chances, results, ended, decided, tried):
    """What each position turned out to be worth by TD(lambda), and whether that is known yet.

    What follows a move that was only tried says little about the position before it; what random
    seats do between two decisions is part of the world.
    """
    targets, known = np.zeros_like(chances), np.zeros_like(ended)
    later, sure = np.zeros_like(chances[0]), np.zeros_like(ended[0])
    for t in range(len(chances) - 1, -1, -1):
        later = np.where(ended[t][:, None], results[t], later)
        sure = sure | ended[t]
        targets[t], known[t] = later, sure
        weight = np.where(sure & ~tried[t], LAMBDA, 0)[:, None]
        before = (1 - weight) * chances[t] + weight * later
        later = np.where(decided[t][:, None], before, later)
        sure = sure | decided[t]
    return targets, known


def evaluate(network, matches, seed):
    """Let it play alone against random seats, its own seat rotated; return how often it wins alone.

    Each row of the batch counts with its first match, so that long ones count as much as short.
    """
    random = np.random.default_rng(seed)
    batch = GAME.batch(matches, PLAYERS, seed)
    own = np.arange(matches) % PLAYERS
    over = np.zeros(matches, bool)
    won = np.zeros(matches, np.int32)
    while not over.all():
        actions = batch.random_actions(random)
        turn = np.nonzero((batch.seats == own) & ~over)[0]
        values, _ = chances_of_moves(network, chosen(batch, turn))
        actions[turn] = batch.moves[turn, values[:, :, 0].argmax(axis=1)]
        batch.step(actions)
        won = np.where(batch.done & ~over, batch.won, won)
        over |= batch.done
    return int((won == 1 << own).sum())


def train(minutes, lessons, seed, sparring):
    """Train a network until time or lessons are used up; return it and its learning curve.

    The learning rate decays with what is used: limited by lessons alone, a seed decides all.
    """
    school = School(seed)
    curve = []
    start = time.monotonic()
    next_look = taught = 0
    while True:
        passed = (time.monotonic() - start) / 60
        done = taught / lessons if lessons else passed / minutes
        if done >= min(next_look, 1):
            wins = evaluate(school.network, PROGRESS, seed + 1)
            curve.append((school.decisions, wins, done > 1 - sparring))
            progress = f"{passed:5.1f} min, {school.decisions:11,} decisions"
            print(f"{progress}: wins {wins / PROGRESS:.1%}", flush=True)
            next_look = done + min(max(done, LOOK / 5), LOOK)
        if done >= 1:
            return school.network, curve
        school.lesson(LEARNING_RATE * max(1 - done, 0.02), sparring=done >= 1 - sparring)
        taught += 1


def plot(curve, file):
    """Draw the learning curve, with 95 % intervals."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    decisions = np.array([count for count, _, _ in curve]) / 1e6
    shares = np.array([wins for _, wins, _ in curve]) / PROGRESS
    limits = np.array([wilson(wins, PROGRESS) for _, wins, _ in curve])
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    axes.fill_between(decisions, limits[:, 0], limits[:, 1], alpha=0.25, linewidth=0)
    axes.plot(decisions, shares, marker="o", markersize=3)
    axes.axhline(0.9, linestyle=":", color="gray")
    axes.axhline(1 / PLAYERS, linestyle=":", color="gray")
    axes.text(decisions[-1], 1 / PLAYERS, "a random player", ha="right", va="bottom")
    first = next((d for d, (_, _, sparred) in zip(decisions, curve, strict=True) if sparred), None)
    if first is not None:
        axes.axvspan(first, decisions[-1], color="gray", alpha=0.15, linewidth=0)
        axes.text(decisions[-1], 0.03, "sparring ", ha="right")
    axes.set(
        ylim=(0, 1),
        xlabel="decisions, in millions",
        ylabel="matches won alone",
        title="Drop or Pop!: wins against two random players while learning by self-play",
    )
    axes.grid(alpha=0.3)
    figure.savefig(file, dpi=120)


def main(arguments):
    """Train or evaluate, as the command line says."""
    parser = argparse.ArgumentParser(description="Learn Drop or Pop! by self-play.")
    parser.add_argument("--minutes", type=float, default=5, help="how long to train")
    parser.add_argument("--lessons", type=int, help="how much to train, instead of minutes")
    parser.add_argument("--sparring", type=float, default=SPARRING, metavar="SHARE",
                        help="the last share of the training, among random seats")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="policy.npz", help="where the policy is kept")
    parser.add_argument("--plot", metavar="PNG", help="draw the learning curve")
    parser.add_argument("--evaluate", metavar="NPZ", help="measure a policy instead")
    parser.add_argument("--matches", type=int, default=400, help="that measure it")
    given = parser.parse_args(arguments)
    if given.evaluate is None:
        network, curve = train(given.minutes, given.lessons, given.seed, given.sparring)
        network.save(given.out)
        if given.plot:
            plot(curve, given.plot)
    else:
        network = Network.load(given.evaluate)
    wins = evaluate(network, given.matches, given.seed + 2)
    low, high = wilson(wins, given.matches)
    print(f"wins {wins} of {given.matches} alone against two random players: "
          f"{wins / given.matches:.1%} ({low:.1%} to {high:.1%})")  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
