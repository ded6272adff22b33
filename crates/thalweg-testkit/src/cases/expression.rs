//! The integer expressions of generated maps: `+ * % < == ( )` and `a if c else b`, over `x` and `y`.

/// The value of an expression at a cell; comparisons give 1 or 0.
///
/// # Panics
/// If the text is not such an expression.
#[must_use]
pub fn evaluate(text: &str, x: u64, y: u64) -> u64 {
    let tokens = tokens_of(text);
    let mut reader = Reader {
        tokens: &tokens,
        next: 0,
        x,
        y,
    };
    let value = reader.choice();
    assert_eq!(
        reader.next,
        tokens.len(),
        "`{text}` does not end where its expression does"
    );
    value
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Number(u64),
    Word(String),
    Sign(&'static str),
}

fn tokens_of(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let while_true = |keep: fn(char) -> bool| rest.find(|letter| !keep(letter)).unwrap_or(rest.len());
        let len = if first.is_ascii_digit() {
            let len = while_true(|letter| letter.is_ascii_digit());
            tokens.push(Token::Number(rest[..len].parse().expect("a number of 64 bits")));
            len
        } else if first.is_ascii_alphabetic() {
            let len = while_true(|letter| letter.is_ascii_alphabetic());
            tokens.push(Token::Word(rest[..len].to_owned()));
            len
        } else {
            let sign = ["==", "+", "*", "%", "<", "(", ")"]
                .into_iter()
                .find(|&sign| rest.starts_with(sign));
            let sign = sign.unwrap_or_else(|| panic!("`{first}` is not part of an expression: `{text}`"));
            tokens.push(Token::Sign(sign));
            sign.len()
        };
        rest = rest[len..].trim_start();
    }
    tokens
}

struct Reader<'a> {
    tokens: &'a [Token],
    next: usize,
    x: u64,
    y: u64,
}

impl Reader<'_> {
    fn take(&mut self, wanted: &Token) -> bool {
        let here = self.tokens.get(self.next) == Some(wanted);
        self.next += usize::from(here);
        here
    }

    fn take_word(&mut self, word: &str) -> bool {
        self.take(&Token::Word(word.to_owned()))
    }

    /// `a if c else b`, which binds loosest and to the right.
    fn choice(&mut self) -> u64 {
        let value = self.comparison();
        if !self.take_word("if") {
            return value;
        }
        let condition = self.comparison();
        assert!(self.take_word("else"), "an `if` without `else`");
        let other = self.choice();
        if condition == 0 { other } else { value }
    }

    fn comparison(&mut self) -> u64 {
        let left = self.sum();
        if self.take(&Token::Sign("<")) {
            u64::from(left < self.sum())
        } else if self.take(&Token::Sign("==")) {
            u64::from(left == self.sum())
        } else {
            left
        }
    }

    fn sum(&mut self) -> u64 {
        let mut value = self.product();
        while self.take(&Token::Sign("+")) {
            value += self.product();
        }
        value
    }

    fn product(&mut self) -> u64 {
        let mut value = self.atom();
        loop {
            if self.take(&Token::Sign("*")) {
                value *= self.atom();
            } else if self.take(&Token::Sign("%")) {
                value %= self.atom();
            } else {
                return value;
            }
        }
    }

    fn atom(&mut self) -> u64 {
        let token = self
            .tokens
            .get(self.next)
            .cloned()
            .expect("an expression that goes on");
        self.next += 1;
        match token {
            Token::Number(number) => number,
            Token::Word(word) if word == "x" => self.x,
            Token::Word(word) if word == "y" => self.y,
            Token::Sign("(") => {
                let value = self.choice();
                assert!(self.take(&Token::Sign(")")), "a bracket is not closed");
                value
            }
            other => panic!("{other:?} is no value"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::evaluate;

    #[test]
    fn products_bind_before_sums_and_sums_before_comparisons() {
        assert_eq!(evaluate("1 + 2 * 3", 0, 0), 7);
        assert_eq!(evaluate("(1 + 2) * 3 % 5", 0, 0), 4);
        assert_eq!(evaluate("x * x + y < 10", 3, 0), 1);
        assert_eq!(evaluate("x * x + y < 10", 3, 1), 0);
    }

    #[test]
    fn a_choice_takes_its_first_value_when_the_condition_holds() {
        assert_eq!(evaluate("7 if x % 3 == 0 else 1", 6, 0), 7);
        assert_eq!(evaluate("7 if x % 3 == 0 else 1", 7, 0), 1);
        assert_eq!(evaluate("1 if x == 0 else 2 if x == 1 else 3", 2, 0), 3);
    }

    #[test]
    #[should_panic(expected = "not part of an expression")]
    fn other_signs_are_refused() {
        let _ = evaluate("x - 1", 1, 0);
    }
}
